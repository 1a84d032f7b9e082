import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { isImplausible, PLAUSIBLE_RANGES } from '@tapeline/domain/tapes/plausible-ranges.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { unreadColumn } from '@tapeline/domain/tapes/unread-column.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import { previewRows } from './run.ts';
import { useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { interpretRow } from './testing/interpreter.ts';
import { FACTS, ID_HEADER, mappingOf, number, stageRows, words } from './testing/mapped-rows.ts';
import { batchArbitrary } from './testing/random-cells.ts';
import { HEADERS, rulesArbitrary } from './testing/random-mappings.ts';

const duckdb = useDuckDb();

async function warned(rules: readonly RuleInput[], rows: readonly Readonly<Record<string, Cell>>[]) {
  const mapping = mappingOf([...rules]);
  const headers = [...planMapping(mapping).headers];
  await stageRows(duckdb(), 'staged_warned', headers, rows);
  const compiled = compileMapping(mapping, { headers, epoch: 1900 }, FACTS);
  return { mapping, preview: await previewRows(duckdb(), compiled, 'staged_warned') };
}

const rate = (scale: 'zeroTo1' | 'zeroTo100'): RuleInput => ({
  originCol: 'a',
  targetCol: 'interestRate',
  serializations: [{ type: 'SerializedInterest', scale }],
});

describe('values outside the plausible range of their field', () => {
  test('are warnings and not errors: a rate of 13.70 where a fraction is expected', async () => {
    const rows: Record<string, Cell>[] = [{ a: number(13.7) }, { a: number(0.137) }, { a: words('x') }, {}];
    const { preview } = await warned([rate('zeroTo1')], rows);
    expect(preview.rows.map(({ cells }) => cells[1])).toEqual([
      { value: '1370%', errors: [], warning: 'is outside the plausible range (0.25% to 100%, or 0)' },
      { value: '13.7%', errors: [], warning: null },
      { value: null, errors: ['"x" is not a number'], warning: null },
      { value: null, errors: [], warning: null },
    ]);
  });

  test('are judged of a term by its days, and of a Temporary result not at all', async () => {
    const term = (unit: 'months' | 'years'): RuleInput => ({
      originCol: 'a',
      targetCol: 'term',
      serializations: [{ type: 'SerializedTerm', unit }],
    });
    const rows = [{ a: number(360) }];
    expect((await warned([term('months')], rows)).preview.rows[0]?.cells[1]?.warning).toBe(null);
    expect((await warned([term('years')], rows)).preview.rows[0]?.cells[1]?.warning).toContain('18,263 days');
    const temporary: RuleInput = { ...term('years'), checks: ['Temporary'] };
    expect((await warned([temporary], rows)).preview.rows[0]?.cells[1]?.warning).toBe(null);
  });

  test('are the same to the compiled mapping and to the plain interpretation, of any mapping over any cells', async () => {
    const ranges = new Map(PLAUSIBLE_RANGES.map((range) => [range.path, range]));
    await fc.assert(
      fc.asyncProperty(rulesArbitrary, batchArbitrary(HEADERS), async (rules, rows) => {
        const { mapping, preview } = await warned(rules, rows);
        const plan = planMapping(mapping);
        for (const [at, row] of rows.entries()) {
          const { asset } = interpretRow(
            plan,
            { ...row, [ID_HEADER]: words(`L${at}`) },
            { ...FACTS, epoch: 1900 },
            at + 2,
          );
          if (asset === null) continue;
          for (const [index, column] of preview.columns.entries()) {
            if (column.temporary) continue;
            const range = ranges.get(column.target);
            const isWarned =
              (range ? isImplausible(range, asset[range.column] as string | number | null) : false) ||
              Boolean(asset[unreadColumn(column.target)]);
            expect({ column, warned: preview.rows[at]?.cells[index]?.warning !== null }).toEqual({
              column,
              warned: isWarned,
            });
          }
        }
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 40) },
    );
  }, 300_000);
});
