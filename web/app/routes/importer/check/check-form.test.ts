import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { expect, it } from 'vitest';
import { cellField, changesOf, checkForm } from './check-form.ts';

const COLUMNS = IMPORT_COLUMNS.contributions;
const CURRENCY = COLUMNS.findIndex(({ key }) => key === 'currency');

it('reads the cells that the page had, also those that were emptied', () => {
  const form = checkForm.parse({
    version: '3',
    shown: '4-0 4-1 18-1',
    [cellField(4, 0)]: ' 7 ',
    [cellField(18, 1)]: 'B',
  });
  expect(changesOf(form, COLUMNS, [])).toEqual([
    { row: 4, column: 'investorType', text: '7' },
    { row: 4, column: 'investorCode', text: '' },
    { row: 18, column: 'investorCode', text: 'B' },
  ]);
});

it('ignores cells that the page did not have, and columns that do not exist', () => {
  const form = checkForm.parse({ version: 1, shown: '4-99 x 5-1-1', [cellField(4, 0)]: '7', [cellField(4, 99)]: '7' });
  expect(changesOf(form, COLUMNS, [])).toEqual([]);
});

it('takes a proposed value over what was entered', () => {
  const form = checkForm.parse({ version: 1, shown: '4-1', [cellField(4, 1)]: 'Dept', use: '4-1-Debt - Senior' });
  expect(changesOf(form, COLUMNS, []).at(-1)).toEqual({ row: 4, column: 'investorCode', text: 'Debt - Senior' });
});

it('takes a proposed value in all rows whose cell means the same', () => {
  const rows = [
    { file: 0, row: 2, cells: { currency: '$', fundCode: '1' } },
    { file: 0, row: 3, cells: { currency: '$', fundCode: '1' } },
    { file: 0, row: 4, cells: { currency: '$', fundCode: '2' } },
    { file: 0, row: 5, cells: { currency: '€', fundCode: '1' } },
  ];
  const changed = (useAll: string) => changesOf(checkForm.parse({ version: 1, useAll }), COLUMNS, rows);
  expect(changed(`3-${CURRENCY}-USD`)).toEqual([
    { row: 2, column: 'currency', text: 'USD' },
    { row: 3, column: 'currency', text: 'USD' },
  ]);
  expect(changed(`5-${CURRENCY}-`)).toEqual([{ row: 5, column: 'currency', text: '' }]);
  expect(changed(`9-${CURRENCY}-USD`)).toEqual([]);
  expect(changed('3-99-USD')).toEqual([]);
});
