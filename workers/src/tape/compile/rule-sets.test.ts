import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { blank, day, number, sheetError, truth, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

/** The maximum number of rules of a mapping, not counting the asset id's rule. */
const MOST = 299;
/** Number of rules that read the results of earlier rules. */
const CHAINED = 90;
const HEADERS = Array.from({ length: 40 }, (_, index) => `column ${index + 1}`);
const header = (index: number): string => HEADERS[index % HEADERS.length] ?? '';

// biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
/** Typical rules of a mapping for a servicer's tape, repeated many times. */
const SHAPES: readonly ((index: number) => SerializationInput[])[] = [
  () => [{ type: 'text' }],
  () => [{ type: 'number' }, { type: 'round', digits: 2 }],
  () => [{ type: 'SerializedSum' }],
  () => [{ type: 'SerializedSum', unit: 'thousands', currency: 'JPY' }],
  () => [{ type: 'boolean' }],
  () => [{ type: 'date', format: 'excel' }],
  (index) => [{ type: 'omit', values: ['none'] }, { type: 'number' }, { type: 'max', column: header(index + 1) }],
  (index) => [{ type: 'concat', separator: '-', parts: [{ column: header(index + 7) }, { text: 'x' }] }],
  (index) => [
    { type: 'ifStatement', filter: { [header(index + 3)]: { gt: 50 } }, then: 'high', else: { previous: true } },
    { type: 'text' },
  ],
  () => [
    { type: 'switchCase', cases: [{ equals: ['Yes', 1], then: 'A' }], default: { previous: true } },
    { type: 'upper' },
  ],
];
// biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited

const CELLS: readonly Cell[] = [
  number(1),
  number(99.995),
  number(43281),
  words('12.5'),
  words('none'),
  blank,
  truth(true),
  words('Yes'),
  day(43281),
  sheetError('#N/A'),
];
/** Rows with shifted cells, so that every rule sees every kind of cell. The first row is valid for all rules. */
const rows: Record<string, Cell>[] = Array.from({ length: 30 }, (_, row) =>
  Object.fromEntries(
    HEADERS.map((name, index) => [
      name,
      row === 0 ? number(100 + index) : (CELLS[(row * 7 + index) % CELLS.length] ?? blank),
    ]),
  ),
);

describe('300 rules', () => {
  test('each on its own compile, run and equal the plain interpretation', async () => {
    const rules = Array.from(
      { length: MOST },
      (_, index): RuleInput => ({
        originCol: header(index),
        targetCol: `customFields.f${index}`,
        serializations: (SHAPES[index % SHAPES.length] ?? SHAPES[0]!)(index),
        checks: index % 25 === 0 ? ['Mandatory'] : [],
      }),
    );
    const [sound, ...others] = await expectAgreement(duckdb(), rules, rows);
    expect(Object.keys(sound?.asset ?? {}).length).toBeGreaterThan(MOST);
    expect([...new Set(others.map(({ errors }) => errors.length > 20))]).toEqual([true]);
  }, 300_000);

  test('that use what those before them made equal it too, Temporary ones among them', async () => {
    const rules = Array.from({ length: CHAINED }, (_, index): RuleInput => {
      const earlier = (back: number): string => `f${Math.max(0, index - back)}`;
      const steps: SerializationInput[][] = [
        [{ type: 'number' }],
        [{ type: 'number' }, { type: 'add', column: earlier(1) }],
        [
          // biome-ignore lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
          { type: 'ifStatement', filter: { [earlier(1)]: { gt: 120 } }, then: { column: earlier(2) } },
          { type: 'min', column: earlier(1) },
        ],
      ];
      const chained = index % 12 === 0 ? steps[0]! : (steps[1 + (index % 2)] ?? []);
      return {
        originCol: header(index),
        targetCol: `f${index}`,
        serializations: index < 2 ? steps[0]! : chained,
        checks: index % 3 === 1 ? ['Temporary'] : [],
      };
    });
    const made = await expectAgreement(duckdb(), rules, rows);
    expect(made[0]?.errors).toEqual([]);
  }, 300_000);
});
