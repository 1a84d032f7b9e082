import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedCells,
  correctionsSchema,
  namedCorrections,
  type OriginCell,
  rowId,
  shownOrigin,
  typedCell,
} from './corrections.schema.ts';

const TAPE = '0123456789abcdef01234567';

describe('corrections as they are posted', () => {
  test('name rows by id or rowNumber, with the corrected cells by header', () => {
    const body = correctionsSchema.parse({
      loanTapeId: TAPE,
      assets: [
        { id: rowId('00ff00ff00ff00ff', 4711), originData: { Balance: 12.5, Note: null, Open: true } },
        { rowNumber: 7, originData: { Balance: '12' } },
        { row: 8 },
      ],
    });
    expect(namedCorrections(body.assets)).toEqual([
      { row: 4711, assetPrefix: '00ff00ff00ff00ff', cells: { Balance: 12.5, Note: null, Open: true } },
      { row: 7, assetPrefix: null, cells: { Balance: '12' } },
      { row: 8, assetPrefix: null, cells: {} },
    ]);
  });

  test.each([
    [{ loanTapeId: TAPE, assets: [] }],
    [{ loanTapeId: TAPE, assets: Array.from({ length: 501 }, (_, at) => ({ rowNumber: at + 1 })) }],
    [{ loanTapeId: TAPE, assets: [{ originData: { A: 1 } }] }],
    [{ loanTapeId: TAPE, assets: [{ rowNumber: 0 }] }],
    [{ loanTapeId: TAPE, assets: [{ rowNumber: 1.5 }] }],
    [{ loanTapeId: TAPE, assets: [{ rowNumber: 1, originData: { A: { b: 1 } } }] }],
    [{ loanTapeId: 'short', assets: [{ rowNumber: 1 }] }],
    [{ assets: [{ rowNumber: 1 }] }],
  ])('are refused where they are none: %j', (body) => {
    expect(correctionsSchema.safeParse(body).success).toBe(false);
  });
});

describe('a cell as typed', () => {
  test.each<[string, OriginCell, boolean, OriginCell]>([
    ['12', 'x', false, 12],
    ['-12.50', 'x', false, -12.5],
    ['0.1', 'x', false, 0.1],
    ['0012', 'x', false, '0012'],
    ['1,200.50', 'x', false, '1,200.50'],
    ['1234567890123456', 'x', false, '1234567890123456'],
    ['123456789012.34567', 'x', false, '123456789012.34567'],
    ['TRUE', 'x', false, true],
    ['false', 'x', false, false],
    ['  ', 'x', false, null],
    ['', 7, false, null],
    ['2026-01-31', 'x', false, '2026-01-31'],
    ['12', 'x', true, '12'],
    ['TRUE', 'x', true, 'TRUE'],
    ['', 'x', true, null],
    // An unchanged cell keeps its type, whatever it looks like.
    ['12', '12', false, '12'],
    ['TRUE', 'TRUE', false, 'TRUE'],
    ['', null, false, null],
    ['12', 12, true, 12],
  ])('%j where %j stood (csv: %j) is %j', (text, before, isCsv, cell) => {
    expect(typedCell(text, before, isCsv)).toBe(cell);
  });

  test('what is shown and not touched is what it was', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(cell, fc.boolean(), (before, isCsv) => {
        expect(typedCell(shownOrigin(before), before, isCsv)).toBe(before);
      }),
    );
  });
});

test('only cells that differ are changed ones', () => {
  expect(changedCells({ A: 1, B: '1', C: null }, { A: 1, B: 1, C: null })).toEqual({ B: { before: 1, after: '1' } });
});
