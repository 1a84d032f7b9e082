/**
 * `npm test`, second half: the quick checks, then the three suites, fastest first; all of them run whatever fails. The
 * last line adds everything up. The first half is test.mjs.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Runs a program of node_modules with our terminal; answers its exit code. */
function run(words: readonly string[]): Promise<number> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    // Programs written in JavaScript find their Node on PATH: ours, not the older one the command may have come with.
    const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };
    current = spawn(join(binaries, program), args, {
      cwd: root,
      stdio: 'inherit',
      env,
      shell: process.platform === 'win32',
    });
    current.once('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      resolve(1);
    });
    current.once('exit', (code) => resolve(code ?? 1));
  });
}

async function runCheck({ name, words }: (typeof CHECKS)[number]): Promise<Tally> {
  process.stdout.write(`\n== ${name}\n`);
  const isFine = (await run(words)) === 0;
  process.stdout.write(isFine ? `${name}: passed\n` : `${name}: FAILED\n`);
  return { passed: isFine ? 1 : 0, failed: isFine ? 0 : 1, skipped: 0 };
}

async function runSuite(suite: string, reports: string): Promise<Tally> {
  process.stdout.write(`\n== ${suite} tests\n`);
  const file = join(reports, `${suite}.json`);
  const words = [
    'vitest',
    'run',
    '--project',
    suite,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const exitCode = await run(words);
  return tallySuite(readIfThere(file), exitCode);
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
for (const check of CHECKS) if (!interrupted) tallies.push(await runCheck(check));
for (const suite of SUITES) if (!interrupted) tallies.push(await runSuite(suite, reports));
rmSync(reports, { recursive: true, force: true });
if (interrupted) tallies.push({ passed: 0, failed: 1, skipped: 0 });

const sum = addTallies(tallies);
process.stdout.write(`\n${closingLine(sum)}\n`, () => process.exit(sum.failed === 0 ? 0 : 1));
