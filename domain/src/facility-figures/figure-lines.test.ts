import { describe, expect, test } from 'vitest';
import { figureLinesSchema, MAX_FIGURE_LINES } from './figure-lines.ts';

const read = (text: string) => figureLinesSchema.safeParse(text).data;
const problem = (text: string) => figureLinesSchema.safeParse(text).error?.issues[0]?.message;

describe('figures in lines', () => {
  test('are copied from a workbook, with or without headings', () => {
    const rows = 'Tangible net worth\t30 Sep 2026\t46,200,000.00\tUSD\tAudited\nLeverage\t2026-09-30\t4.8\n';
    const figures = [
      { title: 'Tangible net worth', date: '2026-09-30', value: '46200000', currency: 'USD', remark: 'Audited' },
      { title: 'Leverage', date: '2026-09-30', value: '4.8', currency: null },
    ];
    expect(read(rows)).toMatchObject(figures);
    expect(read(`Name\tAs of\tFigure\tCurrency\n\n${rows}`)).toMatchObject([
      { ...figures[0], line: 3 },
      { ...figures[1], line: 4 },
    ]);
  });

  test('are written with semicolons, and with a decimal comma where the lines show it', () => {
    expect(read('Sales; 31.10.2026; 1.234.567,89; eur\nCash;2026-10-31;-12,5;-')).toMatchObject([
      { title: 'Sales', date: '2026-10-31', value: '1234567.89', currency: 'EUR' },
      { title: 'Cash', date: '2026-10-31', value: '-12.5', currency: null },
    ]);
  });

  test('are refused with the number of each line that is wrong', () => {
    expect(problem('Sales;2026-13-01;1\nA;2026-10-31;many\nCash;2026-10-31;5;US')).toBe(
      [
        'Line 1, date: Enter a date as YYYY-MM-DD, for example 2026-10-31',
        'Line 2, name: At least 2 characters',
        'Line 2, value: Enter a number, for example 1250000.50',
        'Line 3, currency: Use a currency code of ISO 4217, for example USD',
      ].join('. '),
    );
    expect(problem('Cash;2026-10-31;1\ncash;2026-10-31;2')).toBe('Line 2 repeats the name and date of line 1');
    expect(problem('Cash;2026-10-31;1;USD;x;y')).toBe('Line 1 has more than 5 columns');
    expect(problem(' \n')).toBe('Enter at least one figure');
  });

  test('are not guessed where a day or a figure can be read in two ways', () => {
    expect(problem('Cash;03/04/2026;1')).toContain('03/04/2026 is ambiguous');
    expect(problem('Cash;2026-10-31;1.250')).toContain('1.250 is ambiguous');
  });

  test(`are at most ${MAX_FIGURE_LINES}`, () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => `Figure ${index};2026-10-31;1`).join('\n');
    expect(read(lines(MAX_FIGURE_LINES))).toHaveLength(MAX_FIGURE_LINES);
    expect(problem(lines(MAX_FIGURE_LINES + 1))).toBe(`At most ${MAX_FIGURE_LINES} figures at once`);
  });
});
