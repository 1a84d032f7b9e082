import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import { mapBatch, previewRows } from './run.ts';
import { useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import {
  comparable,
  FACTS,
  ID_HEADER,
  mappingOf,
  number,
  runCompiled,
  runInterpreted,
  stageRows,
  words,
} from './testing/mapped-rows.ts';
import { batchArbitrary } from './testing/random-cells.ts';
import { HEADERS, rulesArbitrary } from './testing/random-mappings.ts';

const duckdb = useDuckDb();

const BALANCE: RuleInput = {
  originCol: 'balance',
  targetCol: 'outstandingSum',
  checks: ['Mandatory', 'Unique'],
  serializations: [{ type: 'SerializedSum' }],
};

describe('a compiled mapping', () => {
  test('equals the plain interpretation of any mapping over any cells', async () => {
    await fc.assert(
      fc.asyncProperty(
        rulesArbitrary,
        batchArbitrary(HEADERS),
        fc.constantFrom(1900 as const, 1904 as const),
        async (rules, rows, epoch) => {
          const facts = { ...FACTS, epoch };
          const compiled = await runCompiled(duckdb(), rules, rows, facts);
          expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows, facts)));
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 100) },
    );
  }, 300_000);

  test('a branch that gives nothing is a blank cell to the next step', async () => {
    const rules: RuleInput[] = [
      {
        originCol: 'a',
        targetCol: 'sector',
        serializations: [
          // biome-ignore lint/suspicious/noThenProperty: the rule format's property name
          { type: 'ifStatement', filter: { $not: { a: { gte: 0 } } }, then: { previous: true }, else: null },
          { type: 'omit', values: ['1', 'no', 2.5] },
          { type: 'text' },
        ],
      },
    ];
    const rows: Record<string, Cell>[] = [{}, { a: number(3) }, { a: number(-1) }];
    const compiled = await runCompiled(duckdb(), rules, rows);
    expect(compiled.map((row) => row.asset?.sector)).toEqual([null, null, '-1']);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
  });

  test('splits every staged row into asset or errored, once', async () => {
    const mapping = mappingOf([BALANCE]);
    const headers = [ID_HEADER, 'balance'];
    const rows = Array.from({ length: 5000 }, (_, index) => ({ balance: index % 7 ? number(index) : words('x') }));
    await stageRows(duckdb(), 'staged_split', headers, rows);
    const compiled = compileMapping(mapping, { headers, epoch: 1900 }, FACTS);
    const mapped = await mapBatch(duckdb(), compiled, 'staged_split', 'mapped_split');
    expect(mapped.assets + mapped.errored).toBe(5000);
    const parts = await duckdb().runAndReadAll(
      `SELECT count(DISTINCT "row"), count(*) FROM (SELECT "row" FROM (${mapped.assetsSql}) UNION ALL SELECT "row" FROM (${mapped.erroredSql}))`,
    );
    expect(parts.getRows()[0]?.map(Number)).toEqual([5000, 5000]);
    expect(compiled.uniqueTargets).toEqual([
      expect.objectContaining({ rule: 2, path: 'sums.outstandingSum', originCol: 'balance' }),
    ]);
  });

  test('keeps the cell as read beside its result where the rule asks for it', async () => {
    const [row] = await runCompiled(duckdb(), [{ ...BALANCE, remainOriginCol: true }], [{ balance: words('1,250.5') }]);
    expect(row?.asset).toMatchObject({ 'sums.outstandingSum': '1250.5000', 'customFields.balance': '1,250.5' });
  });

  test('gives the origin of an errored row as JSON, as read', async () => {
    const headers = [ID_HEADER, 'balance', 'balance', '', 'when', 'odd "name"'];
    const mapping = mappingOf([{ ...BALANCE, originCol: 'when', targetCol: 'sums.arrears' }]);
    await stageRows(duckdb(), 'staged_origin', headers, [
      { balance: number(0.1), when: { tag: 'date', serial: 43281 }, 'odd "name"': { tag: 'error', text: '#N/A' } },
    ]);
    const compiled = compileMapping(mapping, { headers, epoch: 1900 }, FACTS);
    const mapped = await mapBatch(duckdb(), compiled, 'staged_origin', 'mapped_origin');
    const [errored] = (await duckdb().runAndReadAll(mapped.erroredSql)).getRowObjectsJson();
    expect(JSON.parse(String(errored?.origin))).toEqual({
      [ID_HEADER]: 'L0',
      balance: 0.1,
      'balance (column 3)': 0.1,
      when: '2018-06-30',
      'odd "name"': '#N/A',
    });
  });

  test('drops Temporary results, which later rules can use', async () => {
    const [row] = await runCompiled(
      duckdb(),
      [
        { originCol: 'a', targetCol: 'gross', checks: ['Temporary'], serializations: [{ type: 'number' }] },
        {
          originCol: 'b',
          targetCol: 'sum',
          serializations: [{ type: 'add', column: 'gross' }, { type: 'SerializedSum' }],
        },
      ],
      [{ a: number(1), b: number(2.1) }],
    );
    expect(row?.asset).toEqual({ assetId: 'L0', 'sums.sum': '3.1000', 'sums.sum.currency': 'USD' });
  });

  test('lists every missing and doubled header in one refusal', () => {
    const mapping = mappingOf([BALANCE, { ...BALANCE, originCol: 'rate', targetCol: 'sums.arrears' }]);
    try {
      compileMapping(mapping, { headers: [ID_HEADER, 'Rate', 'rate '], epoch: 1900 }, FACTS);
      expect.unreachable('the sheet does not fit the mapping');
    } catch (error) {
      expect(isRefusal(error) && error.flags).toEqual({
        balance: 'is not a header of the sheet',
        rate: 'is the header of more than one column',
      });
    }
  });

  test('previews each result in words beside its problems', async () => {
    const mapping = mappingOf([
      BALANCE,
      {
        originCol: 'rate',
        targetCol: 'interestRate',
        serializations: [{ type: 'SerializedInterest', scale: 'zeroTo1' }],
      },
    ]);
    const headers = [ID_HEADER, 'balance', 'rate'];
    await stageRows(duckdb(), 'staged_preview', headers, [
      { balance: number(12.5), rate: number(0.1149) },
      { balance: words('12.5 k'), rate: number(-1) },
    ]);
    const compiled = compileMapping(mapping, { headers, epoch: 1900 }, FACTS);
    const preview = await previewRows(duckdb(), compiled, 'staged_preview');
    expect(preview.columns.map((column) => column.target)).toEqual(['assetId', 'sums.outstandingSum', 'interestRate']);
    expect(preview.rows[0]?.cells.map((cell) => cell.value)).toEqual(['L0', '12.5000 USD', '11.49%']);
    expect(preview.rows[1]?.cells.map((cell) => cell.errors)).toEqual([
      [],
      ['"12.5 k" is not a number'],
      ['"-1" is a negative rate'],
    ]);
  });
});
