import { expect, test } from 'vitest';
import { exactNumber, parseWire, stringifyWire } from './json.ts';

test('an amount goes out as a number literal with every digit', () => {
  expect(stringifyWire({ value: exactNumber('0.10') })).toBe(`{"value":0.10}`);
  expect(stringifyWire({ total: { sum: '12345678901234567.10', currency: 'USD' }, note: { sum: '5' } })).toBe(
    '{"total":{"sum":12345678901234567.10,"currency":"USD"},"note":{"sum":"5"}}',
  );
});
test('a literal too long for a double comes in as text, others as numbers', () => {
  expect(parseWire('{"sum":12345678901234567.10,"n":1.5}')).toEqual({ sum: '12345678901234567.10', n: 1.5 });
});
