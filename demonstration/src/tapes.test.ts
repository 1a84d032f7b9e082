import { mappingSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { describe, expect, it } from 'vitest';
import { readData } from './data.ts';
import { ALDER_MAPPING, NORTHWIND_MAPPING } from './facilities.ts';
import { type TapeCell, type TapeSheet, tapesOf } from './tapes.ts';

const northwind = tapesOf('northwind');
const [alder] = tapesOf('alder') as [TapeSheet];
const severn = tapesOf('severn');

const headersOf = (sheet: TapeSheet): string[] => sheet.columns.map(({ header }) => header);
const cellsOf = (sheet: TapeSheet, header: string): TapeCell[] => {
  const column = headersOf(sheet).indexOf(header);
  return sheet.rows.map((row) => row[column]!);
};
const sum = (cells: readonly TapeCell[]): number =>
  cells.reduce((total: number, cell) => total + (typeof cell === 'number' ? cell : 0), 0);

/** How many rows have each kind of error. */
function errorsOf(
  sheet: TapeSheet,
  headers: { id: string; rate: string; date: string; amount: string },
  impossible: string,
): Record<string, number> {
  const ids = cellsOf(sheet, headers.id);
  const count = (header: string, isWrong: (cell: TapeCell) => boolean) => cellsOf(sheet, header).filter(isWrong).length;
  return {
    'missing id': ids.filter((id) => id === null).length,
    'negative rate': count(headers.rate, (cell) => Number(cell) < 0),
    'impossible date': count(headers.date, (cell) => cell === impossible),
    'text in an amount': count(headers.amount, (cell) => typeof cell === 'string'),
    'repeated id': ids.filter((id, row) => id !== null && ids.indexOf(id) < row).length,
  };
}
const each = (count: number) => ({
  'missing id': count,
  'negative rate': count,
  'impossible date': count,
  'text in an amount': count,
  'repeated id': count,
});

describe("Northwind's tapes", () => {
  it('are three months of 5,000 rows, named after their cut-off month', () => {
    expect(northwind.map(({ fileName, cutOffDate, rows }) => [fileName, cutOffDate, rows.length])).toEqual([
      ['northwind-2026-08.xlsx', '2026-08-31', 5_000],
      ['northwind-2026-09.xlsx', '2026-09-30', 5_000],
      ['northwind-2026-10.xlsx', '2026-10-31', 5_000],
    ]);
  });

  it('carry 0.3 % invalid rows, three of each kind', () => {
    const headers = {
      id: 'Loan ID',
      rate: 'Interest Rate',
      date: 'First Payment Date',
      amount: 'Principal Balance',
    };
    expect(northwind.map((sheet) => errorsOf(sheet, headers, '2026-02-30'))).toEqual([each(3), each(3), each(3)]);
  });

  it('restate one fact of one loan in each of the later tapes, and no other', () => {
    const facts = ['Origination Date', 'Term (months)', 'Currency', 'Original Amount', 'Maturity Date'];
    const factsOf = (sheet: TapeSheet) => {
      const columns = facts.map((header) => cellsOf(sheet, header));
      const entries = cellsOf(sheet, 'Loan ID').map((id, row) => [id, columns.map((column) => column[row])] as const);
      return new Map(entries.filter(([id]) => id !== null));
    };
    const changes = [1, 2].map((index) => {
      const before = factsOf(northwind[index - 1]!);
      return [...factsOf(northwind[index]!)].flatMap(([id, now]) => {
        const earlier = before.get(id);
        return earlier ? facts.filter((_, at) => earlier[at] !== now[at]).map((fact) => [String(id), fact]) : [];
      });
    });
    const [restated = ''] = changes[0]?.[0] ?? [];
    expect(changes[0]).toEqual([[restated, 'Maturity Date']]);
    // The second tape's correction is not carried on: the third has the maturity of before, and one new amount.
    expect(changes[1]?.filter(([id]) => id !== restated).map(([, fact]) => fact)).toEqual(['Original Amount']);
  });

  it('lower the balances of loans that are paid, and never raise one above the original amount', () => {
    for (const [index, sheet] of northwind.entries()) {
      const [ids, balances, originals, paid] = [
        'Loan ID',
        'Principal Balance',
        'Original Amount',
        'Principal Paid',
      ].map((header) => cellsOf(sheet, header));
      const earlier = northwind[index - 1];
      const before = new Map(
        earlier && cellsOf(earlier, 'Loan ID').map((id, row) => [id, cellsOf(earlier, 'Principal Balance')[row]!]),
      );
      for (const [row, balance] of balances!.entries()) {
        if (typeof balance !== 'number') continue;
        expect(balance).toBeGreaterThanOrEqual(0);
        expect(balance).toBeLessThanOrEqual(Number(originals![row]));
        const known = before.get(ids![row]!);
        if (typeof known === 'number' && ids![row] !== null) expect(balance).toBeLessThanOrEqual(known);
      }
      // The balance is what is left of the original amount, but for the loan whose amount was raised.
      const tied = balances!.filter(
        (balance, row) => Math.abs(Number(originals![row]) - Number(paid![row]) - Number(balance)) < 0.005,
      );
      expect(tied.length).toBeGreaterThan(4_990);
    }
  });

  it('hold between 45 and 55 million dollars, of which 2 to 7 per cent are late', () => {
    for (const sheet of northwind) {
      const balances = cellsOf(sheet, 'Principal Balance');
      const days = cellsOf(sheet, 'Days Past Due');
      const whole = sum(balances);
      expect(whole).toBeGreaterThan(45_000_000);
      expect(whole).toBeLessThan(55_000_000);
      const late = sum(balances.filter((_, row) => Number(days[row]) > 30)) / whole;
      expect(late).toBeGreaterThan(0.02);
      expect(late).toBeLessThan(0.07);
    }
  });

  it('write sums to the cent', () => {
    for (const sheet of northwind) {
      for (const { header } of sheet.columns.filter(({ kind }) => kind === 'money')) {
        for (const cell of cellsOf(sheet, header)) {
          if (typeof cell === 'number') expect(Math.round(cell * 100) / 100).toBe(cell);
        }
      }
    }
  });
});

describe("Alder's tape", () => {
  it('has 1,200 rows below a title and beside a blank column, two with each kind of error', () => {
    expect(alder.rows).toHaveLength(1_200);
    expect(alder.titleRows.length).toBeGreaterThan(0);
    expect(alder.blankColumns).toBe(1);
    const headers = { id: 'Acct #', rate: 'APR %', date: 'Contract Dt', amount: 'Curr Bal' };
    expect(errorsOf(alder, headers, '13/45/2025')).toEqual(each(2));
  });

  it('names its columns otherwise than Northwind, but for a few', () => {
    expect(headersOf(alder).filter((header) => headersOf(northwind[0]!).includes(header))).toEqual(['City']);
  });
});

it("Severn's are twelve small tapes, with one of each kind of error in the last", () => {
  expect(severn.map(({ rows }) => rows.length)).toEqual([340, 355, 370, 385, 400, 415, 430, 445, 460, 475, 490, 483]);
  const headers = { id: 'Agreement', rate: 'Rate', date: 'Start date', amount: 'Capital outstanding' };
  const errors = severn.map((sheet) => errorsOf(sheet, headers, '31/02/2026'));
  expect(errors).toEqual([...severn.slice(1).map(() => each(0)), each(1)]);
});

it("Hallam's are three ledgers of some 180 documents, credit notes among them, whose last two have errors", () => {
  const hallam = tapesOf('hallam');
  expect(hallam.map(({ rows }) => rows.length)).toEqual([173, 175, 189]);
  expect(hallam.map((sheet) => cellsOf(sheet, 'Open amount').filter((amount) => Number(amount) < 0).length)).toEqual([
    4, 8, 11,
  ]);
  const wrongDates = (sheet: TapeSheet) => cellsOf(sheet, 'Due date').filter((date) => date === 'TBC').length;
  expect(hallam.map(wrongDates)).toEqual([0, 1, 1]);
  const ids = hallam.map((sheet) => cellsOf(sheet, 'Document'));
  expect(ids.map((documents) => new Set(documents).size)).toEqual([173, 175, 189]);
});

it('the correction that the borrower proposes is of a balance in words', () => {
  const { cutOffDate, row, header } = readData<{ cutOffDate: string; row: number; header: string }>('proposal');
  const sheet = northwind.find((each) => each.cutOffDate === cutOffDate)!;
  expect(cellsOf(sheet, header)[row - 2]).toBe('see servicer note');
});

describe('the mappings of the demonstration', () => {
  const severnMapping = readData<typeof NORTHWIND_MAPPING>('severn-mapping');

  it.each([
    ['Northwind', NORTHWIND_MAPPING, northwind[0]!],
    ['Alder', ALDER_MAPPING, alder],
    ['Severn', severnMapping, severn[0]!],
    ['Hallam', readData<typeof NORTHWIND_MAPPING>('hallam-mapping'), tapesOf('hallam')[0]!],
  ] as const)('%s: is a valid mapping of columns that the sheet has', (_name, mapping, sheet) => {
    const parsed = mappingSchema.parse(mapping);
    const headers = headersOf(sheet);
    expect(new Set(headers).size).toBe(headers.length);
    const read = parsed.rules.flatMap(({ originCol }) => originCol ?? []);
    expect(read.length).toBeGreaterThan(5);
    expect(read.filter((header) => !headers.includes(header))).toEqual([]);
    expect(parsed.loanTapeSheetName).toBe(sheet.sheetName);
  });

  it('every status that a tape writes has a meaning in its mapping', () => {
    const meant = (mapping: typeof NORTHWIND_MAPPING, header: string): string[] =>
      mapping.rules
        .filter((rule) => rule.originCol === header)
        .flatMap((rule) => rule.serializations)
        .flatMap((step) => (step.type === 'switchCase' ? step.cases.flatMap((one) => one.equals as string) : []));
    const plain = ['Current', '1-30 DPD', '31-60 DPD', 'Charged Off'];
    const known = [...meant(NORTHWIND_MAPPING, 'Loan Status'), ...plain];
    const written = northwind.flatMap((sheet) => cellsOf(sheet, 'Loan Status'));
    expect(written).toHaveLength(15_000);
    expect(written.filter((text) => !known.includes(String(text)))).toEqual([]);
    const codes = meant(ALDER_MAPPING, 'Stat');
    expect(cellsOf(alder, 'Stat').filter((code) => !codes.includes(String(code)))).toEqual([]);
  });
});
