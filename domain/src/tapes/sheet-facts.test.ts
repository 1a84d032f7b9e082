import { NO_FACTS } from '@tapeline/sheets/sheet-facts.ts';
import { expect, test } from 'vitest';
import { describeSheetFacts } from './sheet-facts.ts';

test('facts of a sheet are described with what to do about them', () => {
  expect(describeSheetFacts({ ...NO_FACTS, formulasWithoutResult: 34 })).toEqual([
    '34 cells hold formulas without a result. Open the file in Excel and save it, then upload it again.',
  ]);
  expect(describeSheetFacts({ formulasWithoutResult: 1, unnamedCells: 1200, unnamedColumns: 'K to M' }, true)).toEqual([
    'At least 1 cell holds a formula without a result. Open the file in Excel and save it, then upload it again.',
    'At least 1,200 cells are in columns without a header (K to M) and were not read. If they belong to the tape, add headers to these columns and upload the file again.',
  ]);
  expect(describeSheetFacts(NO_FACTS)).toEqual([]);
});
