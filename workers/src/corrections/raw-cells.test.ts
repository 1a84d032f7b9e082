import type { OriginCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { serialToIso } from '@tapeline/sheets/date-serial.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RawCell, rawCell } from './raw-cells.ts';

const xlsx = { epoch: 1900, isCsv: false } as const;
const number = (value: number): RawCell => ({ tag: CellTag.number, number: value, text: null });
const text = (value: string): RawCell => ({ tag: CellTag.text, number: null, text: value });
const error = (value: string): RawCell => ({ tag: CellTag.error, number: null, text: value });
const date = (serial: number): RawCell => ({ tag: CellTag.date, number: serial, text: null });
const blank: RawCell = { tag: CellTag.blank, number: null, text: null };

describe('a cell of origin data is the cell that a sheet would have', () => {
  test.each<[OriginCell, RawCell]>([
    [null, blank],
    ['', blank],
    [' ', text(' ')],
    [0, number(0)],
    [-12.5, number(-12.5)],
    [true, { tag: CellTag.boolean, number: 1, text: null }],
    [false, { tag: CellTag.boolean, number: 0, text: null }],
    ['12', text('12')],
    ['2024-05-17', date(45_429)],
    ['2024-05-17T12:00:00', date(45_429.5)],
    ['1900-01-01', date(1)],
    ['2024-02-30', text('2024-02-30')],
    ['2024-05-17 and more', text('2024-05-17 and more')],
    ['1899-12-30', text('1899-12-30')],
    ['#N/A', error('#N/A')],
    ['#DIV/0!', error('#DIV/0!')],
    ['#n/a', text('#n/a')],
    ['#12', text('#12')],
  ])('%j', (cell, raw) => {
    expect(rawCell(cell, xlsx)).toEqual(raw);
  });

  test('the calendar of 1904 counts from its own day', () => {
    expect(rawCell('2024-05-17', { epoch: 1904, isCsv: false })).toEqual(date(45_429 - 1462));
  });

  test.each(['2024-05-17', '#N/A', '12'])('in a .csv file %j is a text', (cell) => {
    expect(rawCell(cell, { epoch: 1900, isCsv: true })).toEqual(text(cell));
  });

  test('every date that a sheet can show comes back as its serial', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), fc.integer({ min: 0, max: 86_399 }), (day, second) => {
        const shown = serialToIso(day + second / 86_400, 1900)?.replace(' ', 'T') ?? '';
        const cell = rawCell(shown, xlsx);
        expect(cell.tag).toBe(CellTag.date);
        expect(Math.round((cell.number ?? 0) * 86_400)).toBe(day * 86_400 + second);
      }),
    );
  });
});
