import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BASELINE, MIGRATIONS } from './index.ts';
import { checksumOf, FOLDED } from './version.ts';

/** The checksum of each migration that some database may have run. */
const LANDED: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('landed.json', import.meta.url), 'utf8'),
);

test('no migration that has landed has changed: write a new one, and copy what the earlier one took from the program', () => {
  const changed = MIGRATIONS.filter(
    (migration) => migration.name in LANDED && LANDED[migration.name] !== checksumOf(migration),
  );
  expect(changed.map(({ name }) => name)).toEqual([]);
});

test('landed.json has a line for every migration', () => {
  expect(Object.keys(LANDED)).toEqual(MIGRATIONS.map(({ name }) => name));
});

test('the number of a migration after the baseline follows those of the folded ones and of the others', () => {
  const numbers = [FOLDED.last, ...MIGRATIONS.slice(BASELINE.length).map(({ name }) => name)].map((name) =>
    Number.parseInt(name, 10),
  );
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});
