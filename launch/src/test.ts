/**
 * The second half of `npm test`: runs all quick checks and test suites, even if some fail. The tests of the whole
 * product spend much of their time waiting for pages and jobs, so they run in parallel with the rest if the machine has
 * the resources. A few failed files are then repeated while nothing else runs. Failures are listed at the end, with what
 * passed only on repetition, and the last line shows the totals. The first half is test.mjs.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  checkFailure,
  type Failure,
  failedFiles,
  listFailures,
  passedTests,
  suiteFailures,
} from './testing/failures.ts';
import { addTallies, closingLine, type Tally, tallySuite } from './testing/tally.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');

const CHECKS = [
  { name: 'format and lint', words: ['biome', 'check', '--error-on-warnings', '.'] },
  // The native compiler takes half the processor time. The tools that use the compiler as a library need `typescript`.
  { name: 'types', words: ['tsgo', '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'boundaries',
    words: [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      'domain',
      'sheets',
      'parquet',
      'telemetry',
      'lake',
      'db',
      'workflows',
      'workers',
      'web/app',
      'demonstration',
      'launch',
      'bench',
    ],
  },
];
type Check = (typeof CHECKS)[number];

interface Suite {
  name: string;
  projects: readonly string[];
  /** Whether its tests use databases, workers or browsers, which other work on the machine can slow down. */
  needsServices: boolean;
}
const SUITES: readonly Suite[] = [
  { name: 'unit', projects: ['unit'], needsServices: false },
  { name: 'integration', projects: ['integration'], needsServices: true },
];
/** These projects share one product. */
const PRODUCT_SUITE: Suite = { name: 'product', projects: ['http', 'browser', 'alone'], needsServices: true };

/** With more failed files than this, the cause is hardly the load of the machine, and nothing is repeated. */
const MAX_REPEATED_FILES = 6;

const MEMORY_FOR_BOTH = 8 * 1024 ** 3;
const runsBoth = availableParallelism() > 1 && totalmem() >= MEMORY_FOR_BOTH;

const children = new Set<ReturnType<typeof spawn>>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The runner stops what its setup started before it exits. Ctrl-C reaches it directly.
    if (signal !== 'SIGINT') for (const child of children) child.kill(signal);
    process.exitCode = 1;
    interrupted = true;
  });
}
let interrupted = false;
// The other end of this channel is the process started by npm. If it is killed, the test results are no longer needed.
process.once('disconnect', () => {
  for (const child of children) child.kill('SIGTERM');
  interrupted = true;
});

/** Checks and suites that run one after the other, with their output and results. */
class Lane {
  readonly tallies: Tally[] = [];
  readonly failures: Failure[] = [];
  /** Tests that passed only when they were repeated. */
  readonly repeated: Failure[] = [];
  /** Failed files of suites that need services. Other work on the machine can be why they failed. */
  readonly toRepeat: { suite: Suite; files: string[]; failures: Failure[] }[] = [];
  /** Output buffered while another lane uses the terminal. Null once this lane uses it. */
  #held: [NodeJS.WriteStream, string][] | null = [];

  print(text: string, to: NodeJS.WriteStream = process.stdout): void {
    if (this.#held) this.#held.push([to, text]);
    else to.write(text);
  }

  /** Gives the terminal to this lane and prints its buffered output first. */
  show(): void {
    for (const [to, text] of this.#held ?? []) to.write(text);
    this.#held = null;
  }

  get isShown(): boolean {
    return this.#held === null;
  }

  async run(checks: readonly Check[], suites: readonly Suite[], reports: string): Promise<void> {
    for (const check of checks) if (!interrupted) this.tallies.push(await runCheck(check, this));
    for (const suite of suites) if (!interrupted) this.tallies.push(await runSuite(suite, reports, this));
  }
}

/** Number of a program's last output lines to keep for the list of failures. */
const TAIL_LINES = 40;
const LAST_OUTPUT_MS = 3000;

/**
 * Runs a program from node_modules for the lane. Returns its exit code and, if its output is piped, the end of that
 * output.
 */
function run(
  words: readonly string[],
  lane: Lane,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number; tail: string[] }> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    // JavaScript programs find Node on PATH. Put ours first, because the command may have started on an older one.
    const env = { ...process.env, ...variables, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };
    // Pass a terminal through unchanged, so that programs can control it directly.
    const output = process.stdout.isTTY && lane.isShown ? 'inherit' : 'pipe';
    const child = spawn(join(binaries, program), args, {
      cwd: root,
      stdio: ['inherit', output, output],
      env,
      shell: process.platform === 'win32',
    });
    children.add(child);
    let tail: string[] = [];
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from?.setEncoding('utf8').on('data', (text: string) => {
        lane.print(text, to);
        // The last line may be incomplete. The next chunk continues it.
        tail = `${tail.join('\n')}${text}`.split('\n').slice(-TAIL_LINES);
      });
    }
    child.once('error', (error) => {
      lane.print(`${program}: ${error.message}\n`, process.stderr);
      children.delete(child);
      resolve({ exitCode: 1, tail: [error.message] });
    });
    const end = (code: number | null) => {
      children.delete(child);
      resolve({ exitCode: code ?? 1, tail });
    };
    child.once('close', end);
    // A leftover child process can hold the output open, so stop waiting shortly after the program exits.
    child.once('exit', (code) => setTimeout(end, LAST_OUTPUT_MS, code));
  });
}

async function runCheck({ name, words }: Check, lane: Lane): Promise<Tally> {
  lane.print(`\n== ${name}\n`);
  const { exitCode, tail } = await run(words, lane);
  const isFine = exitCode === 0;
  if (!isFine) lane.failures.push(checkFailure(name, tail));
  lane.print(isFine ? `${name}: passed\n` : `${name}: FAILED\n`);
  return { passed: isFine ? 1 : 0, failed: isFine ? 0 : 1, skipped: 0 };
}

async function runSuite(suite: Suite, reports: string, lane: Lane): Promise<Tally> {
  lane.print(`\n== ${suite.name} tests\n`);
  const { exitCode, report, unhandled, tail } = await runFiles(suite, [], reports, lane);
  const failures = suiteFailures(suite.name, { exitCode, report, unhandled, tail }, root);
  const files = failedFiles(report, root);
  if (suite.needsServices && unhandled.length === 0 && files.length > 0 && files.length <= MAX_REPEATED_FILES)
    lane.toRepeat.push({ suite, files, failures });
  else lane.failures.push(...failures);
  return tallySuite(report, exitCode);
}

/**
 * Runs the failed files of the lane again while nothing else runs, and moves what passes now to the repeated tests.
 * Returns the change of the totals.
 */
async function repeatFailed(lane: Lane, reports: string): Promise<Tally> {
  let passed = 0;
  for (const { suite, files, failures } of lane.toRepeat) {
    lane.print(`\n== ${suite.name} tests, failed files repeated\n`);
    const again = interrupted ? null : await runFiles(suite, files, reports, lane);
    const passing = again?.unhandled.length === 0 ? passedTests(again.report, root) : new Set<string>();
    for (const failure of failures) {
      if (passing.has(failure.name)) passed += 1;
      (passing.has(failure.name) ? lane.repeated : lane.failures).push(failure);
    }
  }
  return { passed, failed: -passed, skipped: 0 };
}

/** Runs the given files of a suite, or all of them if the list is empty. */
async function runFiles({ name, projects }: Suite, files: readonly string[], reports: string, lane: Lane) {
  const stem = files.length > 0 ? `${name}-repeated` : name;
  const file = join(reports, `${stem}.json`);
  const unhandledFile = join(reports, `${stem}-unhandled.json`);
  const words = [
    'vitest',
    'run',
    ...files,
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    '--reporter=./launch/src/testing/unhandled-errors.ts',
  ];
  // The suite's services stop when this process ends, even if it is killed.
  const variables = { UNHANDLED_ERRORS_FILE: unhandledFile, TEST_RUNNER_PID: String(process.pid) };
  const { exitCode, tail } = await run(words, lane, variables);
  const report = readIfThere(file);
  const unhandled = JSON.parse(readIfThere(unhandledFile) ?? '[]') as string[];
  return { exitCode, report, unhandled, tail };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const reports = mkdtempSync(join(tmpdir(), 'tapeline-reports-'));
const [first, second] = [new Lane(), new Lane()];
first.show();
const beside = runsBoth ? second.run([], [PRODUCT_SUITE], reports) : null;
await first.run(CHECKS, SUITES, reports);
second.show();
await (beside ?? second.run([], [PRODUCT_SUITE], reports));
const lanes = [first, second];
const repeatedTallies = [];
for (const lane of lanes) repeatedTallies.push(await repeatFailed(lane, reports));
rmSync(reports, { recursive: true, force: true });

const failures = [...first.failures, ...second.failures];
const ended = interrupted ? [{ passed: 0, failed: 1, skipped: 0 }] : [];
const sum = addTallies([...first.tallies, ...second.tallies, ...repeatedTallies, ...ended]);
const repeated = [...first.repeated, ...second.repeated];
if (repeated.length > 0) process.stdout.write(`\n${listFailures(repeated, 'PASSED ON REPETITION')}\n`);
if (failures.length > 0) process.stdout.write(`\n${listFailures(failures)}\n`);
process.stdout.write(`\n${closingLine(sum)}\n`, () => process.exit(sum.failed === 0 ? 0 : 1));
