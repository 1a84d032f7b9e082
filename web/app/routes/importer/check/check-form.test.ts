import { expect, it } from 'vitest';
import { cellField, changesOf, checkForm } from './check-form.ts';

const KEYS = ['code', 'title'];

it('reads the cells that the page had, also those that were emptied', () => {
  const form = checkForm.parse({
    version: '3',
    shown: '4-0 4-1 18-1',
    [cellField(4, 0)]: ' 7 ',
    [cellField(18, 1)]: 'B',
  });
  expect(changesOf(form, KEYS)).toEqual([
    { row: 4, column: 'code', text: '7' },
    { row: 4, column: 'title', text: '' },
    { row: 18, column: 'title', text: 'B' },
  ]);
});

it('ignores cells that the page did not have, and columns that do not exist', () => {
  const form = checkForm.parse({ version: 1, shown: '4-9 x 5-1-1', [cellField(4, 0)]: '7', [cellField(4, 9)]: '7' });
  expect(changesOf(form, KEYS)).toEqual([]);
});

it('takes a proposed value over what was entered', () => {
  const form = checkForm.parse({ version: 1, shown: '4-1', [cellField(4, 1)]: 'Dept', use: '4-1-Debt - Senior' });
  expect(changesOf(form, KEYS).at(-1)).toEqual({ row: 4, column: 'title', text: 'Debt - Senior' });
});
