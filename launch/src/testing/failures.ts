import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { readReport } from './report.ts';

/** What failed, and how it says so itself. */
export interface Failure {
  /** `file > group > test`, or the name of a check or suite. */
  name: string;
  /** The first lines of its error. */
  lines: string[];
}

/** Lines of one failure that are shown at the end; all of them stand where it happened. */
const SHOWN_LINES = 6;
const LONGEST_LINE = 200;
/** A line of a stack that is in nobody's code of ours. */
const FOREIGN_FRAME = /^\s*at .*([\\/]node_modules[\\/]|node:internal)/;

/** The part of vitest's JSON report that naming failures needs. */
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

/** Every failed test of vitest's JSON report, and every file that could not be loaded; null where the report cannot be read. */
export function failedTests(reportText: string | null, root: string): Failure[] | null {
  const report = readReport(reportSchema, reportText);
  if (report === null) return null;
  return report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [{ name: path, lines: firstLines(file.message) }];
    return failed.map(({ title, ancestorTitles, failureMessages }) => ({
      name: [path, ...ancestorTitles.filter((group) => group !== ''), title].join(' > '),
      lines: firstLines(failureMessages[0] ?? file.message),
    }));
  });
}

/**
 * What a suite that ended badly has to say: its failed tests, then the errors that belong to no test; where there is
 * neither, the last lines it wrote.
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

/** The end of the output of a check that failed. */
export const checkFailure = (name: string, tail: readonly string[]): Failure => ({ name, lines: lastLines(tail) });

/** The list of failures, in plain text, without an empty line at its end. */
export function listFailures(failures: readonly Failure[]): string {
  return failures
    .map(({ name, lines }) => [`FAILED ${name}`, ...lines.map((line) => `    ${line}`)].join('\n'))
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
