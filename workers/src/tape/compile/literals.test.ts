import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import type { Program, ProgramTables } from './layers.ts';
import { expectAgreement, useDuckDb } from './testing/cases.ts';
import { FACTS, ID_HEADER, mappingOf, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();
/** Not written as a literal property key, because an object with `then` looks like a promise. */
const THEN = 'then';

/** Prefix of every text written by the mapping's author. No other text contains it. */
const MARK = "mark'; --";
const VALUE = { [ID_HEADER]: words('L'), x: words(MARK) };

// biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name
const RULES: RuleInput[] = [
  {
    originCol: 'x',
    targetCol: 'decided',
    serializations: [{ type: 'ifStatement', filter: { x: { in: [MARK, `${MARK}0`] } }, then: `${MARK}1`, else: null }],
  },
  {
    originCol: 'x',
    targetCol: 'likened',
    serializations: [{ type: 'ifStatement', filter: { x: { like: `${MARK}%` } }, then: `${MARK}2`, else: `${MARK}3` }],
  },
  {
    originCol: 'x',
    targetCol: 'chosen',
    serializations: [
      { type: 'switchCase', cases: [{ equals: MARK, then: `${MARK}4` }], default: `${MARK}5` },
      { type: 'omit', values: [`${MARK}6`] },
      { type: 'replaceStrings', value: [`${MARK}4`, `${MARK}7`] },
      { type: 'concat', parts: [{ text: `${MARK}8` }], separator: `${MARK}9` },
    ],
    validations: [{ kind: 'mustContains', value: `${MARK}8` }],
  },
  {
    originCol: 'x',
    targetCol: 'cut',
    serializations: [
      { type: 'split', by: `${MARK}`, index: -1 },
      { type: 'padStart', length: 30, fill: MARK },
      { type: 'regexExtract', pattern: `${MARK}.*` },
    ],
    validations: [{ kind: 'notContains', value: `${MARK}10` }],
  },
];
// biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name

test('texts of a mapping are bound and never part of a statement', async () => {
  const compiled = compileMapping(mappingOf(RULES), { headers: [ID_HEADER, 'x'], epoch: 1900 }, FACTS);
  const tables: ProgramTables = { rows: 'staged', cells: (index) => `cells_${index}`, made: (name) => `"${name}"` };
  const programs: Program[] = [
    compiled.rowsProgram(tables),
    compiled.previewProgram(tables),
    compiled.errorsProgram(new Map(), tables),
    compiled.columnsProgram(new Map(), tables),
  ];
  for (const { tables: filled, select, variables } of programs) {
    const statements = [select, ...filled.map((table) => table.select)].join('\n');
    expect(statements).not.toContain('mark');
    for (const { name } of variables) expect(statements).toContain(name);
    expect(variables.flatMap(({ texts }) => texts)).toContain(`${MARK}1`);
  }
});

test('texts with quotes and semicolons are compared as they are written', async () => {
  const [row, other] = await expectAgreement(duckdb(), RULES, [VALUE, { ...VALUE, x: words(`${MARK}0`) }]);
  expect([row?.asset?.['customFields.decided'], row?.asset?.['customFields.likened']]).toEqual([
    `${MARK}1`,
    `${MARK}2`,
  ]);
  expect(row?.asset?.['customFields.chosen']).toBe(`${MARK}7${MARK}9${MARK}8`);
  expect(other?.asset?.['customFields.decided'] ?? other?.errors).toBe(`${MARK}1`);
});

test('more texts than one variable holds keep their places', async () => {
  const cases = Array.from({ length: 200 }, (_, at) => ({ equals: `case ${at}`, [THEN]: `result ${at}` }));
  const rules = [
    { originCol: 'x', targetCol: 'chosen', serializations: [{ type: 'switchCase', cases }] },
  ] as RuleInput[];
  const rows = await expectAgreement(
    duckdb(),
    rules,
    cases.map(({ equals }) => ({ x: words(String(equals)) })),
  );
  expect(rows.map(({ asset }) => asset?.['customFields.chosen'])).toEqual(cases.map((_, at) => `result ${at}`));
});
