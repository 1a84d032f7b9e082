import { mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { describe, expect, it } from 'vitest';
import { ALDER_HEADERS, makeAlderTape } from './alder-tapes.ts';
import { ALDER_MAPPING, NORTHWIND_MAPPING } from './mappings.ts';
import { makeNorthwindTapes, NORTHWIND_CUT_OFF_DATES, NORTHWIND_HEADERS } from './northwind-tapes.ts';
import type { TapeCell, TapeSheet } from './tape-sheet.ts';

const northwind = makeNorthwindTapes();
const alder = makeAlderTape();

const cellsOf = (sheet: TapeSheet, header: string): TapeCell[] => {
  const column = sheet.columns.findIndex((candidate) => candidate.header === header);
  return sheet.rows.map((row) => row[column]!);
};

describe("Northwind's tapes", () => {
  it('are three months of 5,000 rows, named after their cut-off month', () => {
    expect(northwind.map((tape) => tape.sheet.cutOffDate)).toEqual(NORTHWIND_CUT_OFF_DATES);
    expect(northwind.map((tape) => tape.sheet.rows.length)).toEqual([5_000, 5_000, 5_000]);
    expect(northwind.map((tape) => tape.sheet.fileName)).toEqual([
      'northwind-2026-08.xlsx',
      'northwind-2026-09.xlsx',
      'northwind-2026-10.xlsx',
    ]);
  });

  it('carry 0.3 % invalid rows, three of each kind, at the rows that the tape says', () => {
    for (const { sheet, problems } of northwind) {
      const ids = cellsOf(sheet, 'Loan ID');
      const rates = cellsOf(sheet, 'Interest Rate');
      const firstPayments = cellsOf(sheet, 'First Payment Date');
      const balances = cellsOf(sheet, 'Principal Balance');
      expect(problems).toHaveLength(15);
      expect(new Set(problems.map((problem) => problem.row)).size).toBe(15);
      const rowsOf = (isInvalid: (row: number) => boolean) => sheet.rows.map((_, row) => row).filter(isInvalid);
      const stated = (kind: string) =>
        problems
          .filter((problem) => problem.kind === kind)
          .map((problem) => problem.row)
          .sort((left, right) => left - right);
      expect(rowsOf((row) => ids[row] === null)).toEqual(stated('missing id'));
      expect(rowsOf((row) => Number(rates[row]) < 0)).toEqual(stated('negative rate'));
      expect(rowsOf((row) => firstPayments[row] === '2026-02-30')).toEqual(stated('impossible date'));
      expect(rowsOf((row) => typeof balances[row] === 'string')).toEqual(stated('text in an amount'));
      const seen = new Set<TapeCell>();
      const repeats = rowsOf((row) => {
        const again = ids[row] !== null && seen.has(ids[row]!);
        seen.add(ids[row]!);
        return again;
      });
      expect(repeats).toEqual(stated('repeated id'));
    }
  });

  it('restate one fact of one loan in each of the later tapes, and no other', () => {
    const consistent = ['Origination Date', 'Term (months)', 'Currency', 'Original Amount', 'Maturity Date'];
    const factsOf = (sheet: TapeSheet) => {
      const ids = cellsOf(sheet, 'Loan ID');
      const columns = consistent.map((header) => cellsOf(sheet, header));
      return new Map(ids.map((id, row) => [id, columns.map((column) => column[row])]));
    };
    for (const index of [1, 2]) {
      const before = factsOf(northwind[index - 1]!.sheet);
      const published = new Set(before.keys());
      const changed = [...factsOf(northwind[index]!.sheet)].filter(
        ([id, facts]) => id !== null && published.has(id) && JSON.stringify(before.get(id)) !== JSON.stringify(facts),
      );
      const earlierBreaks = northwind[index - 1]!.breaks;
      expect(changed.map(([id]) => id).filter((id) => !earlierBreaks.includes(String(id)))).toEqual(
        northwind[index]!.breaks,
      );
      expect(northwind[index]!.breaks).toHaveLength(1);
    }
  });

  it('write sums to the cent', () => {
    for (const { sheet } of northwind) {
      for (const [index, column] of sheet.columns.entries()) {
        if (column.kind !== 'money') continue;
        for (const row of sheet.rows) {
          const cell = row[index];
          if (typeof cell === 'number') expect(Math.round(cell * 100) / 100).toBe(cell);
        }
      }
    }
  });
});

describe("Alder's tape", () => {
  it('has 1,200 rows below a title and beside a blank column', () => {
    expect(alder.sheet.rows).toHaveLength(1_200);
    expect(alder.sheet.titleRows.length).toBeGreaterThan(0);
    expect(alder.sheet.blankColumns).toBe(1);
    expect(alder.problems).toHaveLength(10);
  });

  it('names its columns otherwise than Northwind, but for a few', () => {
    expect(ALDER_HEADERS.filter((header) => NORTHWIND_HEADERS.includes(header))).toEqual(['City']);
  });
});

describe('the mappings of the demonstration', () => {
  it.each([
    ['Northwind', NORTHWIND_MAPPING, northwind[0]!.sheet],
    ['Alder', ALDER_MAPPING, alder.sheet],
  ] as const)('%s: is a valid mapping of columns that the sheet has', (_name, mapping, sheet) => {
    const parsed = mappingSchema.parse(mapping);
    const headers = sheet.columns.map((column) => column.header);
    expect(new Set(headers).size).toBe(headers.length);
    for (const { originCol } of parsed.rules) if (originCol !== null) expect(headers).toContain(originCol);
    expect(parsed.loanTapeSheetName).toBe(sheet.sheetName);
  });

  it('every status that a tape writes has a meaning in its mapping', () => {
    const meant = (mapping: typeof NORTHWIND_MAPPING, header: string): string[] =>
      mapping.rules
        .filter((rule) => rule.originCol === header)
        .flatMap((rule) => rule.serializations)
        .flatMap((step) => (step.type === 'switchCase' ? step.cases.flatMap((one) => one.equals as string) : []));
    const plain = ['Current', '1-30 DPD', '31-60 DPD', 'Charged Off'];
    const written = new Set(northwind.flatMap((tape) => cellsOf(tape.sheet, 'Loan Status')));
    for (const text of written) expect([...meant(NORTHWIND_MAPPING, 'Loan Status'), ...plain]).toContain(text);
    for (const code of cellsOf(alder.sheet, 'Stat')) expect(meant(ALDER_MAPPING, 'Stat')).toContain(code);
  });
});
