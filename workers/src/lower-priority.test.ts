import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';

const THREADS = `
  const { readdirSync, readFileSync } = await import('node:fs');
  const { lowerPriority } = await import('${new URL('./lower-priority.ts', import.meta.url)}');
  for (const niceness of process.argv.slice(1)) lowerPriority(Number(niceness));
  await import('node:fs/promises').then(({ readFile }) => readFile('/proc/self/stat'));
  // The 19th field, counted from behind the name in brackets.
  const nicenessOf = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16];
  console.log(readdirSync('/proc/self/task').map(nicenessOf).join());
`;

const nicenessOfThreads = (...niceness: readonly number[]): number[] =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', THREADS, ...niceness.map(String)], {
    encoding: 'utf8',
  })
    .trim()
    .split(',')
    .map(Number);

test.runIf(process.platform === 'linux')('every thread of a process gives way, also those that start later', () => {
  const [before] = nicenessOfThreads(0);
  const threads = nicenessOfThreads(7);
  expect(threads.length).toBeGreaterThan(availableParallelism());
  expect(new Set(threads)).toEqual(new Set([Math.min(19, before! + 7)]));
});

test.runIf(process.platform === 'linux')('a process that was started at a low priority gets at most the lowest', () => {
  expect(new Set(nicenessOfThreads(15, 9))).toEqual(new Set([19]));
});
