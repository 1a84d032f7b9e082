import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTING_NAMES, SETTINGS, settingsTables } from './settings.ts';

/** The cells of a table, whatever their padding. */
const cells = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => /^(\||## )/.test(line))
    .map((line) => line.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').trim());

test('the production guide lists every setting as it is declared', () => {
  const guide = readFileSync(new URL('../../docs/operating/settings.md', import.meta.url), 'utf8');
  // If this fails: `node db/src/commands/document-settings.ts` writes the guide's tables.
  expect(cells(guide)).toEqual(cells(settingsTables()));
});

test('every secret can be read from a file', () => {
  const without = SETTING_NAMES.filter((name) => SETTINGS[name].isSecret && !SETTINGS[name].hasFile);
  expect(without).toEqual([]);
});
