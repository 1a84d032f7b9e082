import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SampleCell } from '@tapeline/domain/tapes/suggest/column-summary.ts';
import { suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { blank, number, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

const sample = (cell: Cell): SampleCell =>
  cell.tag === 'number'
    ? { tag: 1, value: String(cell.number) }
    : { tag: cell.tag === 'text' ? 2 : 0, value: cell.tag === 'text' ? cell.text : '' };

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS = [1950, 1999, 2000, 2018, 2020, 2026, 2099].flatMap((year) =>
  MONTHS.map((name, at) => ({ year, name, month: at + 1, two: String(at + 1).padStart(2, '0') })),
);
type Month = (typeof DAYS)[number];

describe('suggested steps', () => {
  const forms: [string, (month: Month) => Cell][] = [
    ['201803, a number', ({ year, month }) => number(year * 100 + month)],
    ['201803, a text', ({ year, two }) => words(`${year}${two}`)],
    ['32018, a number', ({ year, month }) => number(month * 10_000 + year)],
    ['032018, a text', ({ year, two }) => words(`${two}${year}`)],
    ['03/2018', ({ year, two }) => words(`${two}/${year}`)],
    ['3/2018', ({ year, month }) => words(`${month}/${year}`)],
    ['Mar-2018', ({ year, name }) => words(`${name}-${year}`)],
  ];
  test.each(forms)('read months written as %s as their first day', async (_, write) => {
    const cells = [...DAYS.map(write), blank];
    const suggestion = suggestMapping({ columns: [{ header: 'Maturity Date', cells: cells.map(sample) }] }).find(
      ({ rule }) => rule.targetCol !== 'assetId' && rule.originCol !== null,
    );
    const rule: RuleInput = { ...suggestion!.rule, checks: [] };
    expect(rule.targetCol).toBe('dates.maturityDate');
    const rows = await expectAgreement(
      duckdb(),
      [rule],
      cells.map((cell) => ({ 'Maturity Date': cell })),
    );
    expect(rows.map(({ asset }) => asset?.['dates.maturityDate'])).toEqual([
      ...DAYS.map(({ year, two }) => `${year}-${two}-01`),
      null,
    ]);
  });

  const two = (value: number) => String(value).padStart(2, '0');
  const NAMES = 'January February March April May June July August September October November December'.split(' ');
  const dates: [string, number, (date: { year: number; month: number; day: number }) => Cell][] = [
    ['31/12/2024', 4, ({ year, month, day }) => words(`${two(day)}/${two(month)}/${year}`)],
    ['31.12.2024', 4, ({ year, month, day }) => words(`${day}.${month}.${year}`)],
    ['31-12-2024 00:00', 4, ({ year, month, day }) => words(`${two(day)}-${two(month)}-${year} 00:00`)],
    ['12/31/24', 2, ({ year, month, day }) => words(`${month}/${day}/${two(year % 100)}`)],
    ['2024/12/31', 4, ({ year, month, day }) => words(`${year}/${two(month)}/${two(day)}`)],
    ['2024/1/5', 4, ({ year, month, day }) => words(`${year}/${month}/${day}`)],
    ['20241231, a number', 4, ({ year, month, day }) => number(year * 10_000 + month * 100 + day)],
    ['241231, a text', 2, ({ year, month, day }) => words(`${two(year % 100)}${two(month)}${two(day)}`)],
    ['20241231, a text', 4, ({ year, month, day }) => words(`${year}${two(month)}${two(day)}`)],
    ['31-Dec-2024', 4, ({ year, month, day }) => words(`${day}-${NAMES[month - 1]!.slice(0, 3)}-${year}`)],
    [
      '31-DEC-24',
      2,
      ({ year, month, day }) => words(`${day}-${NAMES[month - 1]!.slice(0, 3).toUpperCase()}-${two(year % 100)}`),
    ],
    ['December 31, 2024', 4, ({ year, month, day }) => words(`${NAMES[month - 1]} ${day}, ${year}`)],
  ];
  const WRITTEN = [2000, 2024, 2031].flatMap((year) =>
    NAMES.map((_, month) => ({ year, month: month + 1, day: month % 2 === 0 ? 31 : 5 })).filter(
      ({ month, day }) => day < 31 || [1, 3, 5, 7, 8, 10, 12].includes(month),
    ),
  );
  test.each(dates)('read dates written as %s, and what is none leaves the field empty', async (_, __, write) => {
    const cells = [...WRITTEN.map(write), blank, words('see note'), words('TBD')];
    const suggestions = suggestMapping({
      columns: [{ header: 'Maturity Date', cells: cells.slice(0, -2).map(sample) }],
    }).filter(({ rule }) => rule.originCol === 'Maturity Date');
    expect(suggestions.at(-1)?.rule.targetCol).toBe('dates.maturityDate');
    const rules = suggestions.map(({ rule }) => ({
      ...rule,
      checks: rule.checks?.filter((check) => check === 'Temporary') ?? [],
    }));
    const rows = await expectAgreement(
      duckdb(),
      rules,
      cells.map((cell) => ({ 'Maturity Date': cell })),
    );
    expect(rows.slice(0, -2).map(({ asset }) => asset?.['dates.maturityDate'])).toEqual([
      ...WRITTEN.map(({ year, month, day }) => `${year}-${two(month)}-${two(day)}`),
      null,
    ]);
    const unread = rows.slice(-2).map(({ asset }) => asset?.['dates.maturityDate.unread']);
    expect(unread).toEqual([expect.stringMatching(/^"see note" is /), expect.stringMatching(/^"TBD" is /)]);
  });

  const texts = (...values: string[]): Cell[] => values.map(words);
  const figures: [string, string, string, Cell[], unknown[]][] = [
    ['Current Balance', 'sums.outstandingSum', 'dollars', texts('$1,234.50', '($12.00)'), ['1234.5000', '-12.0000']],
    ['Current Balance', 'sums.outstandingSum', 'commas', texts('1.234,50 €', '12,5 €'), ['1234.5000', '12.5000']],
    ['Balance ($mm)', 'sums.outstandingSum', 'millions', [number(12.5), number(0.1)], ['12500000.0000', '100000.0000']],
    ['Interest Rate', 'interestRate', 'per cent', texts('13.56%', ' 7.25 %'), ['13.56000000', '7.25000000']],
    [
      'Interest Rate',
      'interestRate',
      'shares, and per cent beside them as empty',
      [number(0.0725), words('7.25%')],
      ['7.25000000', null],
    ],
    ['Interest Rate (bps)', 'interestRate', 'basis points', [number(725), number(1125)], ['7.25000000', '11.25000000']],
    ['Zinssatz', 'interestRate', 'commas', texts('7,25 %', '4,5 %'), ['7.25000000', '4.50000000']],
    ['Term', 'term', 'words', texts(' 36 months', '60 months'), [36, 60]],
    ['Term', 'term', 'short words', texts('48 mths', '12 mths'), [48, 12]],
    ['Laufzeit', 'term', 'years with a decimal comma', texts('2,5 Jahre', '3 Jahre'), [2.5, 3]],
  ];
  test.each(figures)('read %s as %s of %s', async (header, target, _, cells, expected) => {
    const suggestion = suggestMapping({ columns: [{ header, cells: cells.map(sample) }] }).find(
      ({ rule }) => rule.targetCol === target,
    );
    const rule: RuleInput = { ...suggestion!.rule, checks: [] };
    const rows = await expectAgreement(
      duckdb(),
      [rule],
      cells.map((cell) => ({ [header]: cell })),
    );
    expect(rows.map(({ asset }) => asset?.[target])).toEqual(expected);
  });

  test('say that every asset is a loan where no column says what it is', async () => {
    const suggestion = suggestMapping({
      columns: [{ header: 'Loan ID', cells: [{ tag: 2, value: 'a1' }] }],
    }).find(({ rule }) => rule.targetCol === 'assetType');
    const rows = await expectAgreement(duckdb(), [suggestion!.rule], [{ x: blank }]);
    expect(rows.map(({ asset }) => asset?.assetType)).toEqual(['loan']);
  });
});
