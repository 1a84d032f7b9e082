import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import pino from 'pino';
import { expect, test } from 'vitest';
import { refuseData } from './data-failure.ts';

const run = (error: unknown) => refuseData({ log: pino({ level: 'silent' }) }, {}, () => Promise.reject(error));
const withCode = (code: string) => Object.assign(new Error(`${code}: no such file`), { code });

test.each([
  ['a full disk', withCode('ENOSPC')],
  ['a file that was evicted', withCode('ENOENT')],
  ['DuckDB cannot read a file', new Error('IO Error: Could not read from file')],
  ['DuckDB has too little memory', new Error('Out of Memory Error: failed to allocate data')],
  ['V8 has too little memory', new RangeError('Array buffer allocation failed')],
  ['somebody cancelled', Object.assign(new Error('aborted'), { name: 'AbortError' })],
])('passes on that %s, so that it is tried again', async (_, error) => {
  await expect(run(error)).rejects.toBe(error);
});

test.each([
  [
    'Out of Range Error: Overflow in multiplication of DECIMAL(18)\n(1 * 2)',
    /Overflow in multiplication of DECIMAL\(18\)\)/,
  ],
  ['The borrowing base does not add up: 0 is not 1', /does not add up: 0 is not 1/],
  ['x'.repeat(5000), /^.{0,600}$/],
])('refuses what fails in the same way each time: %.60s', async (message, said) => {
  const refusal = await run(new Error(message)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect((refusal as Refusal).message).toMatch(said);
});

test('keeps the words of a refusal', async () => {
  const refusal = new Refusal('badRequest', 'Choose a larger unit');
  await expect(run(refusal)).rejects.toBe(refusal);
});
