import { expect, test } from 'vitest';
import { problemOfNames } from '../../../../tests/names.ts';
import { rowsThatFit } from './rows-that-fit.ts';

const rowOf = (cells: number, at: (index: number) => { problems?: string[]; expects?: string } = () => ({})) => ({
  cells: Array.from({ length: cells }, (_, index) => ({ place: index, problems: [], expects: null, ...at(index) })),
});

test.each([[10], [99], [100], [500], [1_001], [1_002], [16_384]])(
  'a form of 25 rows of %i cells may be sent',
  (cells) => {
    const { rows, leftRows, leftCells } = rowsThatFit(Array.from({ length: 25 }, () => rowOf(cells)));
    const names = rows.flatMap((row, index) => [
      `rows[${index}].row`,
      ...row.cells.flatMap((_, place) => [
        `rows[${index}].cells[${place}].header`,
        `rows[${index}].cells[${place}].value`,
      ]),
    ]);
    expect(problemOfNames(['csrf', 'generation', 'intent', ...names])).toBeNull();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length + leftRows).toBe(25);
    expect(leftCells).toBe(Math.max(0, cells - 1_001));
  },
);

test('cells in error and cells that are read go before others, in the order of the sheet', () => {
  const wide = rowOf(3_000, (index) =>
    index === 2_999 ? { problems: ['wrong'] } : index === 2_000 ? { expects: 'a date' } : {},
  );
  const indexes = rowsThatFit([wide]).rows[0]!.cells.map(({ place: index }) => index);
  expect(indexes).toEqual([...Array.from({ length: 999 }, (_, index) => index), 2_000, 2_999]);
});
