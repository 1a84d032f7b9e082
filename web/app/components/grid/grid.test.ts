import { DateDay, Decimal, makeData, Table, tableToIPC, Utf8, Vector, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { rowsOfArrow } from './arrow-page.ts';
import { type GridColumn, listSearch, readSort } from './grid-columns.ts';
import { writeCell } from './grid-values.ts';

const decimals = (scaled: readonly bigint[], scale: number) => {
  const words = new BigInt64Array(scaled.flatMap((value) => [BigInt.asIntN(64, value), value < 0n ? -1n : 0n]));
  const data = new Uint32Array(words.buffer);
  return new Vector([makeData({ type: new Decimal(scale, 18), length: scaled.length, data })]);
};

describe('rows of an Arrow stream', () => {
  it('keep decimals exact, negative ones and ones past a double included', () => {
    const table = new Table({ sum: decimals([-15n, 0n, 900719925474099312n], 4) });
    expect(rowsOfArrow(tableToIPC(table, 'stream'))).toEqual([
      { sum: '-0.0015' },
      { sum: '0.0000' },
      { sum: '90071992547409.9312' },
    ]);
  });
  it('give calendar dates as days, before 1970 too, and missing as null', () => {
    const table = new Table({
      financed: new Vector([makeData({ type: new DateDay(), length: 2, data: Int32Array.from([20757, -1]) })]),
      state: vectorFromArray(['CA', null], new Utf8()),
    });
    expect(rowsOfArrow(tableToIPC(table, 'stream'))).toEqual([
      { financed: '2026-10-31', state: 'CA' },
      { financed: '1969-12-31', state: null },
    ]);
  });
});

describe('cells', () => {
  it('write figures exactly, zero as an en dash and missing as n/a', () => {
    expect(writeCell('18211.4', { kind: 'decimal' })).toBe('18,211.40');
    expect(writeCell('-0.5', { kind: 'decimal', digits: 1 })).toBe('−0.5');
    expect(writeCell('0.0000', { kind: 'decimal' })).toBe('–');
    expect(writeCell('9.12500000', { kind: 'decimal', digits: 'stored' })).toBe('9.125');
    expect(writeCell('8.30000000', { kind: 'decimal', digits: 'stored' })).toBe('8.30');
    expect(writeCell(null, { kind: 'decimal' })).toBe('n/a');
    expect(writeCell(718, { kind: 'number' })).toBe('718');
    expect(writeCell('2025-03-12', { kind: 'date' })).toBe('12 Mar 2025');
    expect(writeCell('chargedOff', { kind: 'status' })).toBe('Charged off');
    expect(writeCell(false, { kind: 'boolean' })).toBe('No');
    const words = { fees: 'Fees', interest: 'Interest' };
    expect(writeCell('interest, fees', { kind: 'text', words })).toBe('Interest, Fees');
    expect(writeCell('other', { kind: 'text', words })).toBe('other');
  });
});

describe('the address of a grid', () => {
  const columns: GridColumn[] = [{ path: 'fico', label: 'FICO', kind: 'number', shown: true }];
  it('is read leniently: what is no sort of its columns is no sort', () => {
    expect(readSort('{"fico":-1}', columns)).toEqual({ fico: -1 });
    expect(readSort('{"fico":2,"secret":1}', columns)).toEqual({});
    expect(readSort('not json', columns)).toEqual({});
    expect(readSort(null, columns)).toEqual({});
  });
  it('cannot widen the scope by its filter', () => {
    const search = listSearch({
      scope: { loanTape: 'one' },
      filter: '{"loanTape":"another"}',
      sort: { fico: -1 },
      skip: 200,
      limit: 100,
    });
    expect(JSON.parse(search.get('filter') ?? '')).toEqual({ loanTape: 'one', $and: [{ loanTape: 'another' }] });
    expect(search.get('sort')).toBe('{"fico":-1}');
    expect([search.get('skip'), search.get('limit')]).toEqual(['200', '100']);
  });
});
