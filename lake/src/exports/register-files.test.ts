import {
  callRegister,
  commitmentsRegister,
  distributionRegister,
  type RegisterOf,
} from '@tapeline/domain/capital/print/registers.ts';
import { add, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import type { Register } from '@tapeline/domain/printing/register.ts';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_WORKBOOK_LINES, registerTable, registerWorkbook } from './register-files.ts';

const OF: RegisterOf = {
  issuer: 'Harbour Credit Partners',
  issueDate: '2026-11-29',
  fundTitle: 'Harbour Credit Fund II',
  className: null,
  currency: 'EUR',
};
const named = (index: number) => ({ investor: `Investor ${index}`, code: index, className: index % 2 ? 'A' : null });
const cents = fc
  .bigInt({ min: 0n, max: 10n ** 12n })
  .map((value) => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`);

/** A call of two purposes over some investors, from amounts in cents. */
const callOf = (shares: readonly (readonly [string, string, string])[], interest: string | null = null): Register =>
  callRegister({
    ...OF,
    callNumber: '7',
    cutOffDate: '2026-11-01',
    dueDate: '2026-11-20',
    purposes: [{ title: 'Investments' }, { title: 'Management fee' }],
    shares: shares.map(([one, other, before], index) => ({
      ...named(index),
      percentage: '25.00000000',
      amounts: [one, other],
      basis: [],
      excuse: index === 0 ? '=HYPERLINK("x")' : null,
      amount: add(one, other),
      interest,
      before,
      after: subtract(before, add(one, other)),
      dueDate: '2026-11-20',
      reference: `HCF2-7-${index}`,
    })),
  });

/** The call of a closing, with interest on top. */
const closingOf = (shares: Parameters<typeof callOf>[0]): Register => callOf(shares, '1.25');

const distributionOf = (shares: readonly (readonly [string, string, string])[]): Register =>
  distributionRegister({
    ...OF,
    callNumber: '3',
    cutOffDate: '2026-11-01',
    isRecallable: true,
    components: [
      { title: 'Interest', actionType: 'INTEREST' },
      { title: 'Withholding tax', actionType: 'INTEREST TAX' },
    ],
    shares: shares.map(([principal, income, tax], index) => ({
      ...named(index),
      percentage: null,
      principal,
      amounts: [income, tax],
      basis: [],
      distributed: subtract(add(principal, income), tax),
      paidTo: null,
    })),
  });

const commitmentsOf = (shares: readonly (readonly [string, string, string])[]): Register => {
  const whole = sum(shares.map(([active]) => active));
  return commitmentsRegister({
    ...OF,
    cutOffDate: '2026-11-01',
    commitments: shares.map(([active, called, toPay], index) => ({
      ...named(index),
      status: 'Active',
      closingDate: '2025-01-31',
      maxCommitment: active,
      active,
      percentage: ((Number(active) / Number(whole)) * 100).toFixed(8),
      figures: {
        called,
        toPay,
        recallableCapital: '1.00',
        writtenOff: '0.00',
        unfunded: add(subtract(subtract(active, called), toPay), '1.00'),
        distributed: '0.10',
        nav: index === 0 ? null : called,
      },
    })),
  });
};

async function sheetOf(register: Register): Promise<ExcelJS.Worksheet> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load((await registerWorkbook(register)) as unknown as ArrayBuffer);
  return workbook.worksheets[0]!;
}

/** Calculates a formula of sums, rounding and the four operations over the cells of a sheet, as a spreadsheet does. */
function calculate(formula: string, sheet: ExcelJS.Worksheet): number {
  const tokens = formula.match(/[A-Z]+\d+(?::[A-Z]+\d+)?|[A-Z]+(?=\()|\d+(?:\.\d+)?|[-+*/(),]/g) ?? [];
  expect(tokens.join('')).toBe(formula);
  const numberAt = (address: string): number => {
    const { value } = sheet.getCell(address);
    if (typeof value === 'number') return value;
    if (value && typeof value === 'object' && 'formula' in value) return calculate(value.formula ?? '', sheet);
    return 0;
  };
  const cellsOf = (range: string): number[] => {
    const [from = '', to = from] = range.split(':');
    const [first, last] = [sheet.getCell(from), sheet.getCell(to)];
    return Array.from({ length: Number(last.row) - Number(first.row) + 1 }, (_, row) =>
      Array.from({ length: Number(last.col) - Number(first.col) + 1 }, (__, column) =>
        numberAt(sheet.getCell(Number(first.row) + row, Number(first.col) + column).address),
      ),
    ).flat();
  };
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const factor = (): number => {
    const token = next();
    if (token === '(') {
      const inner = expression();
      next();
      return inner;
    }
    if (token === 'SUM') {
      next();
      const total = cellsOf(next()).reduce((all, one) => all + one, 0);
      next();
      return total;
    }
    if (token === 'ROUND') {
      next();
      const value = expression();
      next();
      const digits = expression();
      next();
      return Number(value.toFixed(digits));
    }
    return /^\d/.test(token) ? Number(token) : numberAt(token);
  };
  const term = (): number => {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/') value = next() === '*' ? value * factor() : value / factor();
    return value;
  };
  const expression = (): number => {
    let value = term();
    while (tokens[at] === '+' || tokens[at] === '-') value = next() === '+' ? value + term() : value - term();
    return value;
  };
  return expression();
}

test('the formulas of registers calculate what their cells show, to the cent', async () => {
  const shares = fc.array(fc.tuple(cents, cents, cents), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      shares,
      fc.constantFrom(callOf, closingOf, distributionOf, commitmentsOf),
      async (some, registerOf) => {
        const sheet = await sheetOf(registerOf(some.map(([one, other, rest]) => [add(one, '1.00'), other, rest])));
        let formulas = 0;
        sheet.eachRow((row) =>
          row.eachCell(({ value }) => {
            if (!value || typeof value !== 'object' || !('formula' in value)) return;
            formulas += 1;
            expect(Math.abs(calculate(value.formula ?? '', sheet) - Number(value.result ?? 0))).toBeLessThan(0.005);
          }),
        );
        expect(formulas).toBeGreaterThan(some.length);
      },
    ),
    { numRuns: 40 },
  );
});

test('a register says what it is of, and its text stays text', async () => {
  const sheet = await sheetOf(callOf([['10.00', '2.50', '100.00']]));
  const texts: unknown[][] = [];
  sheet.eachRow((row) => texts.push((row.values as unknown[]).slice(1)));
  expect(texts[0]).toEqual(['Capital call 7']);
  expect(texts).toContainEqual(['Due date', '20 Nov 2026']);
  expect(texts).toContainEqual(['Currency', 'EUR']);
  const line = texts.find(([first]) => first === 'Investor 0')!;
  expect(line.slice(3, 8)).toEqual([25, 10, 2.5, { formula: 'SUM(E9:F9)', result: 12.5 }, 100]);
  expect(line).toContain('=HYPERLINK("x")');
  expect(line).toContain('HCF2-7-0');
});

test('the total of a column names how many lines have a figure', async () => {
  const sheet = await sheetOf(
    commitmentsOf([
      ['5.00', '1.00', '0.00'],
      ['5.00', '2.00', '0.00'],
    ]),
  );
  const texts: string[] = [];
  sheet.eachRow((row) => texts.push(String(row.getCell(1).value)));
  expect(texts).toContain('The total of “Net asset value” covers the 1 of 2 lines that have a figure.');
  expect(texts.filter((text) => text.startsWith('The total of'))).toHaveLength(1);
});

test('a workbook has at most 5,000 lines, and the CSV file has all', async () => {
  const many = Array.from({ length: MAX_WORKBOOK_LINES }, () => ['1.00', '0.00', '1.00'] as const);
  expect((await registerWorkbook(callOf(many))).length).toBeGreaterThan(0);
  const more = callOf([...many, ['1.00', '0.00', '1.00']]);
  await expect(registerWorkbook(more)).rejects.toMatchObject({
    code: 'badRequest',
    message: 'An Excel file has at most 5,000 lines. Export it as CSV',
  });
  expect(registerTable(more).rows).toBe(MAX_WORKBOOK_LINES + 1);
});
