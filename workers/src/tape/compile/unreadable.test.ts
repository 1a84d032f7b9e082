import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { expect, test } from 'vitest';
import { useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { comparable, number, runCompiled, runInterpreted, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

const term = (more: Partial<RuleInput> = {}): RuleInput => ({
  originCol: 'a',
  targetCol: 'term',
  serializations: [{ type: 'SerializedTerm', unit: 'months' }],
  ...more,
});

async function mapped(rules: RuleInput[], rows: Record<string, Cell>[]) {
  const compiled = await runCompiled(duckdb(), rules, rows);
  expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
  return compiled.map(({ asset, errors }) => [
    asset && { term: asset.term, days: asset['term.days'], unread: asset['term.unread'] },
    errors.map(({ reason }) => reason),
  ]);
}

test('a cell that cannot be read is an error of the row, unless the rule leaves its field empty', async () => {
  const rows: Record<string, Cell>[] = [{ a: number(36) }, { a: words('in delay') }, {}];
  const read = { term: 36, days: 1095.75, unread: undefined };
  expect(await mapped([term()], rows)).toEqual([
    [{ ...read, days: expect.any(Number) }, []],
    [null, ['is not a number']],
    [{ term: null, days: null, unread: undefined }, []],
  ]);
  expect(await mapped([term({ onUnreadable: 'error' })], rows)).toEqual(await mapped([term()], rows));
  expect(await mapped([term({ onUnreadable: 'empty' })], rows)).toEqual([
    [{ ...read, days: expect.any(Number), unread: null }, []],
    [{ term: null, days: null, unread: '"in delay" is not a number' }, []],
    [{ term: null, days: null, unread: null }, []],
  ]);
});

test('what is Mandatory is an error all the same, and a validation still judges what could be read', async () => {
  const rows = [{ a: words('x') }, { a: number(500) }];
  expect(await mapped([term({ onUnreadable: 'empty', checks: ['Mandatory'] })], rows)).toEqual([
    [null, ['is not a number']],
    [expect.objectContaining({ term: 500 }), []],
  ]);
  const most = term({ onUnreadable: 'empty', validations: [{ kind: 'maxNumber', value: 480 }] });
  expect(await mapped([most], rows)).toEqual([
    [expect.objectContaining({ term: null, unread: '"x" is not a number' }), []],
    [null, ['is above 480']],
  ]);
});

test('a Temporary result that cannot be read gives a warning on the field that stays empty because of it', async () => {
  const years = (more: Partial<RuleInput>): RuleInput => ({
    originCol: 'a',
    targetCol: 'years',
    checks: ['Temporary'],
    serializations: [{ type: 'number' }],
    ...more,
  });
  const months = (originCol: string | null): RuleInput => ({
    originCol,
    targetCol: 'term',
    onUnreadable: 'empty',
    serializations: [
      { type: 'number' },
      { type: 'multiply', column: 'years' },
      { type: 'SerializedTerm', unit: 'months' },
    ],
  });
  const rows = [
    { a: words('two'), b: number(12) },
    { a: number(2), b: number(12) },
  ];
  const fine = [expect.objectContaining({ term: 24, unread: null }), []];
  expect(await mapped([years({ onUnreadable: 'empty' }), months('b')], rows)).toEqual([
    [expect.objectContaining({ term: null, unread: 'the value of "a" is not a number' }), []],
    fine,
  ]);
  expect(await mapped([years({}), months('b')], rows)).toEqual([[null, ['is not a number']], fine]);
});

test('a long cell is quoted in part', async () => {
  const [[asset]] = (await mapped([term({ onUnreadable: 'empty' })], [{ a: words('é'.repeat(301)) }])) as [[never]];
  expect(asset).toMatchObject({ unread: `"${'é'.repeat(300)}…" is not a number` });
});
