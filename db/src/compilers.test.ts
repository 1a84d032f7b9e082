import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A function that every compiler would compile, in a process that reports which one did. */
const HOT = `
  import { setFlagsFromString } from 'node:v8';
  setFlagsFromString('--trace-opt');
  function weighed(pool, count) { let sum = 0; for (let at = 0; at < count; at += 1) sum += pool.amount * at; return sum; }
  for (let time = 0; time < 20000; time += 1) weighed({ amount: time }, 100);
`;
const compiledBy = (before: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', `${before}\n${HOT}`], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });

test('code of the product is not compiled by Maglev, and still by TurboFan', () => {
  const module = new URL('compilers.ts', import.meta.url).href;
  const found = compiledBy(`await import(${JSON.stringify(module)});`);
  expect(found).toContain('TURBOFAN');
  expect(found).not.toContain('MAGLEV');
  expect(compiledBy('')).toContain('MAGLEV');
});

test.each(['workers/src/main.ts', 'web/server.ts'])('%s chooses the compilers before anything else', (program) => {
  const source = readFileSync(new URL(`../../${program}`, import.meta.url), 'utf8');
  expect(source).toMatch(/^import '@tapeline\/db\/compilers\.ts';\n/);
});
