import type { SampleCell } from '@tapeline/domain/tapes/column-shape.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { suggestMapping } from '@tapeline/domain/tapes/suggest-mapping.ts';
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
    const [suggestion] = suggestMapping({ columns: [{ header: 'Maturity Date', cells: cells.map(sample) }] });
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
});
