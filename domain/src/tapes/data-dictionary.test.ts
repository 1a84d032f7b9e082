import { describe, expect, test } from 'vitest';
import {
  columnsOverTapes,
  describeCalculated,
  describeColumns,
  type FilledField,
  type MappedColumns,
  planVersion,
  type TapeWithColumns,
  versionsOfColumns,
  withPlannedColumns,
} from './data-dictionary.ts';
import { mappingRuleSchema, type RuleInput } from './rule.schema.ts';

const tape = (month: number, columns: readonly string[], mappingId = 'v1'): TapeWithColumns => ({
  id: `tape ${month}`,
  name: `${month}.xlsx`,
  cutOffDate: `2026-0${month}-28`,
  mappingId,
  columns,
});
const spans = (...tapes: TapeWithColumns[]) =>
  columnsOverTapes(tapes).map(({ header, first, last }) => `${header}: ${first?.name} to ${last?.name}`);

describe('columns over tapes', () => {
  test('are those of the last tape in its order, then those that it no longer has', () => {
    expect(
      spans(tape(3, ['Id', '', 'Rate', 'Balance']), tape(2, ['Id', 'Balance', 'Branch']), tape(1, ['Branch', 'Id'])),
    ).toEqual([
      'Id: 1.xlsx to 3.xlsx',
      'Rate: 3.xlsx to 3.xlsx',
      'Balance: 2.xlsx to 3.xlsx',
      'Branch: 1.xlsx to 2.xlsx',
    ]);
  });

  test('are the same with other spaces and capitals, as the last tape writes them', () => {
    expect(spans(tape(2, ['Current  Balance']), tape(1, ['CURRENT balance ']))).toEqual([
      'Current  Balance: 1.xlsx to 2.xlsx',
    ]);
  });

  test('are two if one tape has both', () => {
    expect(spans(tape(2, ['Rate', 'rate']), tape(1, ['Rate']))).toEqual([
      'Rate: 1.xlsx to 2.xlsx',
      'rate: 2.xlsx to 2.xlsx',
    ]);
  });
});

const ID: RuleInput = {
  originCol: 'Id',
  targetCol: 'assetId',
  checks: ['Mandatory'],
  serializations: [{ type: 'text' }],
};
const number = (originCol: string, targetCol: string, more: Partial<RuleInput> = {}): RuleInput => ({
  originCol,
  targetCol,
  serializations: [{ type: 'number' }],
  ...more,
});
const versionOf = (version: number, rules: readonly RuleInput[], extractedOriginColsFromLoanTape: string[] = []) =>
  planVersion({
    id: `v${version}`,
    version,
    sheetName: 'Loans',
    rules: rules.map((rule) => mappingRuleSchema.parse(rule)),
    extractedOriginColsFromLoanTape,
  });

const FILLED: FilledField = { filled: 3, assets: 4, example: 'x' };
/** Every field has the same on the last tape. */
const filledBy = (paths: readonly string[]) => new Map(paths.map((path) => [path, FILLED]));

/** The lines of a mapping as text: column, use, field, whether the share is known, version. */
function linesOf(
  versions: readonly ReturnType<typeof versionOf>[],
  tapes: readonly TapeWithColumns[],
  filled: readonly string[] = [],
): string[] {
  const inUse = versions.at(-1)!;
  const byId = new Map(versions.map((version) => [version.id, version]));
  const columns = withPlannedColumns(columnsOverTapes(tapes), inUse);
  const [last] = tapes;
  const mapped: MappedColumns = {
    columns,
    inUse,
    last: last ? { tape: last, version: byId.get(last.mappingId)!, filled: filledBy(filled) } : null,
  };
  const ids = versionsOfColumns(mapped);
  const lines = [
    ...columns.flatMap((column) => {
      const version = byId.get(ids.get(column)!)!;
      return describeColumns([column], version, mapped).get(column)!;
    }),
    ...describeCalculated(mapped),
  ];
  return lines.map(
    ({ column, use, field, onLastTape, mapping }) =>
      `${column} ${use} ${field?.path ?? '-'} ${onLastTape ? 'known' : '?'} v${mapping.version}`,
  );
}

const CUSTOM = 'customFields.';

describe('a dictionary', () => {
  test('has a line for each use of a column, and says which is not used', () => {
    const rules = [
      ID,
      number('Rate', 'rate', { remainOriginCol: true }),
      number('Balance', 'temp', { checks: ['Temporary'] }),
      { originCol: null, targetCol: 'share', serializations: [{ type: 'calculate', formula: 'temp / Limit' }] },
      { originCol: null, targetCol: 'half', serializations: [{ type: 'calculate', formula: 'temp / 2' }] },
    ] satisfies RuleInput[];
    const fields = ['assetId', `${CUSTOM}rate`, `${CUSTOM}Rate`, `${CUSTOM}share`, `${CUSTOM}half`];
    expect(linesOf([versionOf(1, rules)], [tape(1, ['Id', 'Rate', 'Branch', 'Balance', 'Limit'])], fields)).toEqual([
      'Id field assetId known v1',
      `Rate field ${CUSTOM}rate known v1`,
      `Rate kept ${CUSTOM}Rate known v1`,
      'Branch unused - ? v1',
      `Balance field ${CUSTOM}temp ? v1`,
      `Limit input ${CUSTOM}share known v1`,
      `null calculated ${CUSTOM}half known v1`,
    ]);
  });

  test('describes a renamed column by the version that its last tape was mapped with', () => {
    const before = versionOf(1, [ID, number('Saldo', 'balance')]);
    const now = versionOf(2, [ID, number('Balance', 'balance')]);
    const tapes = [tape(2, ['Id', 'Balance'], 'v2'), tape(1, ['Id', 'Saldo', 'Memo'])];
    expect(linesOf([before, now], tapes, ['assetId', `${CUSTOM}balance`])).toEqual([
      'Id field assetId known v2',
      `Balance field ${CUSTOM}balance known v2`,
      `Saldo field ${CUSTOM}balance ? v1`,
      'Memo unused - ? v1',
    ]);
  });

  test('knows nothing of a field that another rule made on the last tape, or from another result', () => {
    const calculated = {
      originCol: null,
      targetCol: 'ratio',
      serializations: [{ type: 'calculate', formula: 'part / 2' }],
    };
    const rules = (value: number) =>
      [
        ID,
        number('Part', 'part', { serializations: [{ type: 'number' }, { type: 'multiply', value }] }),
        calculated,
        number('Rate', 'rate', { sequence: value + 10 }),
      ] as RuleInput[];
    const tapes = [tape(1, ['Id', 'Part', 'Rate'])];
    const fields = ['assetId', `${CUSTOM}part`, `${CUSTOM}ratio`, `${CUSTOM}rate`];
    expect(linesOf([versionOf(1, rules(2)), versionOf(2, rules(3))], tapes, fields)).toEqual([
      'Id field assetId known v2',
      `Part field ${CUSTOM}part ? v2`,
      `Rate field ${CUSTOM}rate known v2`,
      `null calculated ${CUSTOM}ratio ? v2`,
    ]);
  });

  test('lists what the version in use reads and no tape has; before the first tape, the columns that it was made with', () => {
    const version = versionOf(1, [ID, number('Rate', 'rate')], ['Id', 'RATE', ' rate', '', 'Branch']);
    expect(linesOf([version], [])).toEqual([
      'Id field assetId ? v1',
      ` rate field ${CUSTOM}rate ? v1`,
      'Branch unused - ? v1',
    ]);
    expect(linesOf([version], [tape(1, ['Id', 'Branch'])])).toEqual([
      'Id field assetId ? v1',
      'Branch unused - ? v1',
      `Rate field ${CUSTOM}rate ? v1`,
    ]);
  });
});
