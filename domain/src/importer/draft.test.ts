import { expect, it } from 'vitest';
import { correctedRows, emptyDraft, originalRows, withChanges } from './draft.ts';

const SHEET = {
  columns: [{ letters: 'A' }, { letters: 'C' }, { letters: 'D' }],
  rows: [
    { row: 4, cells: ['Ann', ' Berg ', ''] },
    { row: 6, cells: ['', '', 'a note'] },
    { row: 7, cells: ['Bo', '', 'x'] },
  ],
};
const ROWS = originalRows('users', SHEET, { firstName: 'A', lastName: 'C' });
const DRAFT = emptyDraft('users', 'Pending');

it('reads the mapped columns with the row numbers of the file, and leaves notes out', () => {
  expect(ROWS).toEqual([
    { file: 0, row: 4, cells: { firstName: 'Ann', lastName: 'Berg' } },
    { file: 0, row: 7, cells: { firstName: 'Bo' } },
  ]);
});

it('applies corrections and removes rows', () => {
  const changes = withChanges(DRAFT, ROWS, [{ row: 7, column: 'lastName', text: 'Lind' }]);
  expect(correctedRows(ROWS, { changes, removedRows: [4] })).toEqual([
    { file: 0, row: 7, cells: { firstName: 'Bo', lastName: 'Lind' } },
  ]);
});

it('forgets a correction that restores the original, and keeps the last one of a cell', () => {
  const first = withChanges(DRAFT, ROWS, [
    { row: 4, column: 'firstName', text: 'Anna' },
    { row: 7, column: 'lastName', text: 'Lind' },
  ]);
  const second = withChanges({ ...DRAFT, changes: first }, ROWS, [
    { row: 4, column: 'firstName', text: 'Ann' },
    { row: 7, column: 'lastName', text: 'Lund' },
    { row: 99, column: 'lastName', text: 'not a row' },
  ]);
  expect(second).toEqual([{ row: 7, column: 'lastName', text: 'Lund' }]);
});
