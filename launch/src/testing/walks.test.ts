import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const architecture = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');

/** The numbered files of a section, in order. */
function filesOf(title: string): string[] {
  const [, section = ''] = architecture.split(`## ${title}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^(\d+)\. `([^`]+)`/gm)].map(([, number, file], index) => {
    expect(number, file).toBe(String(index + 1));
    return file!;
  });
}

test.each([
  ['From a cell to the certificate', 60],
  ['From an amount to the notice', 30],
])('"%s" passes through at most %i files, which exist', (title, most) => {
  const files = filesOf(title);
  expect(files.length).toBeGreaterThan(most / 2);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(new Set(files).size).toBe(files.length);
  expect(files.filter((file) => !existsSync(fileURLToPath(new URL(file, ROOT))))).toEqual([]);
});
