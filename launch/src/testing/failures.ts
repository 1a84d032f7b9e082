import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { readReport } from './report.ts';

/** A failed test, check, or suite, and its error output. */
export interface Failure {
  /** `file > group > test`, or the name of a check or suite. */
  name: string;
  /** The first lines of its error. */
  lines: string[];
}

/** Number of lines shown per failure in the final list. The full output is printed where the failure happened. */
const SHOWN_LINES = 6;
const LONGEST_LINE = 200;
/** A stack trace line that is outside our own code. */
const FOREIGN_FRAME = /^\s*at .*([\\/]node_modules[\\/]|node:internal)/;

/** The part of vitest's JSON report that is needed to list failures. */
const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          title: z.string(),
          ancestorTitles: z.array(z.string()),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

type TestResult = z.infer<typeof reportSchema>['testResults'][number]['assertionResults'][number];
const nameOf = (path: string, { ancestorTitles, title }: TestResult): string =>
  [path, ...ancestorTitles.filter((group) => group !== ''), title].join(' > ');

/**
 * Every failed test in vitest's JSON report, and every file that could not be loaded. Null if the report is unreadable.
 */
export function failedTests(reportText: string | null, root: string): Failure[] | null {
  const report = readReport(reportSchema, reportText);
  if (report === null) return null;
  return report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [{ name: path, lines: firstLines(file.message) }];
    return failed.map((test) => ({
      name: nameOf(path, test),
      lines: test.failureMessages.length > 0 ? test.failureMessages.flatMap(firstLines) : firstLines(file.message),
    }));
  });
}

/** The test files of a report in which a test failed or that could not be loaded, relative to the root. */
export function failedFiles(reportText: string | null, root: string): string[] {
  const files = readReport(reportSchema, reportText)?.testResults ?? [];
  return files.filter((file) => file.status === 'failed').map((file) => relative(root, file.name));
}

/** The names of the tests that passed, and of the files that could be loaded and had no failed test. */
export function passedTests(reportText: string | null, root: string): Set<string> {
  const names = (readReport(reportSchema, reportText)?.testResults ?? []).flatMap((file) => {
    const path = relative(root, file.name);
    const passed = file.assertionResults.filter((test) => test.status === 'passed').map((test) => nameOf(path, test));
    return file.status === 'passed' ? [path, ...passed] : passed;
  });
  return new Set(names);
}

/**
 * The failures of a suite that exited with an error: its failed tests and then the errors outside any test. If there
 * are none of either, the last lines of its output.
 */
export function suiteFailures(
  suite: string,
  run: { exitCode: number; report: string | null; unhandled: readonly string[]; tail: readonly string[] },
  root: string,
): Failure[] {
  if (run.exitCode === 0) return [];
  const failed = failedTests(run.report, root) ?? [];
  const unhandled = run.unhandled.map((error) => ({
    name: `${suite} tests > an error outside of every test`,
    lines: firstLines(error),
  }));
  const named = [...failed, ...unhandled];
  return named.length > 0 ? named : [{ name: `${suite} tests`, lines: lastLines(run.tail) }];
}

/** A failed check, with the end of its output. */
export const checkFailure = (name: string, tail: readonly string[]): Failure => ({ name, lines: lastLines(tail) });

/** The list of failures as plain text, without a trailing newline. @param label before each name */
export function listFailures(failures: readonly Failure[], label = 'FAILED'): string {
  return failures
    .map(({ name, lines }) => [`${label} ${name}`, ...lines.map((line) => `    ${line}`)].join('\n'))
    .join('\n');
}

function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '' && !FOREIGN_FRAME.test(line))
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
}

const firstLines = (text: string): string[] => linesOf(text).slice(0, SHOWN_LINES);
const lastLines = (lines: readonly string[]): string[] => linesOf(lines.join('\n')).slice(-2 * SHOWN_LINES);
