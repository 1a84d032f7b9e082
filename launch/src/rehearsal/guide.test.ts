import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillIn, readGuide } from './guide.ts';
import { REHEARSED } from './rehearsed.ts';

const GUIDE = readFileSync(new URL('../../../docs/operating/production.md', import.meta.url), 'utf8');

test('every command of the guide is in a block that is rehearsed', () => {
  expect([...readGuide(GUIDE).keys()].sort()).toEqual([...REHEARSED].sort());
  // Every fence is read, whatever its language.
  expect(GUIDE.match(/^```/gm)).toHaveLength(2 * REHEARSED.length);
});

test('a block without a name is refused', () => {
  expect(() => readGuide('```sh\nls\n```\n')).toThrow('has no name');
  expect(() => readGuide('```sh a\nls\n```\n```sh a\nls\n```\n')).toThrow('has no name');
  expect(readGuide('```sh a\nls\n```\n')).toEqual(new Map([['a', 'ls\n']]));
});

test('an example that nothing replaces is refused, but people have example addresses', () => {
  expect(fillIn('psql PASSWORD ann@example.com', [['PASSWORD', 'x']])).toBe('psql x ann@example.com');
  expect(() => fillIn('psql PASSWORD', [])).toThrow('PASSWORD');
  expect(() => fillIn('psql db.example.com', [])).toThrow('db.example.com');
});
