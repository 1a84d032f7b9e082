/**
 * `npm test`, second half: the quick checks, then the three suites, fastest first; all of them run whatever fails. What
 * failed is listed at the end, and the last line adds everything up. The first half is test.mjs.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkFailure, type Failure, listFailures, suiteFailures } from './testing/failures.ts';
import { addTallies, closingLine, type Tally, tallySuite } from './testing/tally.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');

const CHECKS = [
  { name: 'format and lint', words: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'types', words: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'boundaries',
    words: [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      'domain',
      'db',
      'workflows',
      'workers',
      'web/app',
      'launch',
      'bench',
    ],
  },
];
const SUITES = ['unit', 'integration', 'browser'];

let current: ReturnType<typeof spawn> | null = null;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The runner stops what its set-up started before it ends.
    if (signal !== 'SIGINT') current?.kill(signal);
    process.exitCode = 1;
    interrupted = true;
  });
}
let interrupted = false;
// The other end of this channel is the process that npm runs; when it is killed, nobody waits for the tests.
process.once('disconnect', () => {
  current?.kill('SIGTERM');
  interrupted = true;
});

/** Lines of a program's output kept for the list of what failed. */
const TAIL_LINES = 40;
const LAST_OUTPUT_MS = 3000;

/** Runs a program of node_modules with our terminal; answers its exit code, and the end of its output where nobody watches it. */
function run(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number; tail: string[] }> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    // Programs written in JavaScript find their Node on PATH: ours, not the older one the command may have come with.
    const env = { ...process.env, ...variables, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };
    // A terminal is handed on as it is, so that programs draw on it as they like.
    const output = process.stdout.isTTY ? 'inherit' : 'pipe';
    const child = spawn(join(binaries, program), args, {
      cwd: root,
      stdio: ['inherit', output, output],
      env,
      shell: process.platform === 'win32',
    });
    current = child;
    let tail: string[] = [];
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from?.setEncoding('utf8').on('data', (text: string) => {
        to.write(text);
        // The last line may be half a line still: the next text goes on with it.
        tail = `${tail.join('\n')}${text}`.split('\n').slice(-TAIL_LINES);
      });
    }
    child.once('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve({ exitCode: 1, tail: [error.message] });
    });
    const end = (code: number | null) => resolve({ exitCode: code ?? 1, tail });
    child.once('close', end);
    // What the program left behind may hold its output open: a moment after its end nothing more is waited for.
    child.once('exit', (code) => setTimeout(end, LAST_OUTPUT_MS, code));
  });
}

async function runCheck({ name, words }: (typeof CHECKS)[number]): Promise<Tally> {
  process.stdout.write(`\n== ${name}\n`);
  const { exitCode, tail } = await run(words);
  const isFine = exitCode === 0;
  if (!isFine) failures.push(checkFailure(name, tail));
  process.stdout.write(isFine ? `${name}: passed\n` : `${name}: FAILED\n`);
  return { passed: isFine ? 1 : 0, failed: isFine ? 0 : 1, skipped: 0 };
}

async function runSuite(suite: string, reports: string): Promise<Tally> {
  process.stdout.write(`\n== ${suite} tests\n`);
  const file = join(reports, `${suite}.json`);
  const unhandledFile = join(reports, `${suite}-unhandled.json`);
  const words = [
    'vitest',
    'run',
    '--project',
    suite,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    '--reporter=./launch/src/testing/unhandled-errors.ts',
  ];
  // The suite's services end with this process, however it ends.
  const variables = { UNHANDLED_ERRORS_FILE: unhandledFile, TEST_RUNNER_PID: String(process.pid) };
  const { exitCode, tail } = await run(words, variables);
  const report = readIfThere(file);
  const unhandled = JSON.parse(readIfThere(unhandledFile) ?? '[]') as string[];
  failures.push(...suiteFailures(suite, { exitCode, report, unhandled, tail }, root));
  return tallySuite(report, exitCode);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const reports = mkdtempSync(join(tmpdir(), 'tapeline-reports-'));
const tallies: Tally[] = [];
const failures: Failure[] = [];
for (const check of CHECKS) if (!interrupted) tallies.push(await runCheck(check));
for (const suite of SUITES) if (!interrupted) tallies.push(await runSuite(suite, reports));
rmSync(reports, { recursive: true, force: true });
if (interrupted) tallies.push({ passed: 0, failed: 1, skipped: 0 });

const sum = addTallies(tallies);
if (failures.length > 0) process.stdout.write(`\n${listFailures(failures)}\n`);
process.stdout.write(`\n${closingLine(sum)}\n`, () => process.exit(sum.failed === 0 ? 0 : 1));
