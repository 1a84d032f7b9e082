import { expect, test } from 'vitest';
import { stringifyWire } from './json.ts';
import { isReservedName, setField } from './object-names.ts';

test('a field of any name is set, and is in the JSON', () => {
  const holder: Record<string, unknown> = {};
  for (const name of ['__proto__', 'constructor', 'prototype', 'a.b']) setField(holder, name, 1);
  expect(stringifyWire(holder)).toBe('{"__proto__":1,"constructor":1,"prototype":1,"a.b":1}');
  expect(Object.getPrototypeOf(holder)).toBe(Object.prototype);
});

test.each([
  ['__proto__', true],
  ['constructor', true],
  ['prototype', true],
  ['proto', false],
  ['Constructor', false],
])('%s is reserved: %s', (name, expected) => expect(isReservedName(name)).toBe(expected));
