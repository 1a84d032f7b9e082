import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import fc from 'fast-check';
import type { Cell } from './held.ts';

const TEXTS = [
  '',
  ' ',
  '1',
  '12.5%',
  '1,234.565',
  '1,5',
  '2.5',
  '-3',
  '2018-06-30',
  '2018-02-30',
  '6/30/2018',
  'Yes',
  'no',
  'current',
  'Charged  Off',
  '36 months',
  '2 years',
  'EUR',
  'jpy',
  'a-b-c',
  'nan',
  '1_000',
  "O'Neil",
  '"x"',
];

/** Cells as tapes have them, the ill-formed ones included. */
export const cellArbitrary: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Cell>({ tag: 'blank' }) },
  {
    weight: 4,
    arbitrary: fc
      .oneof(
        fc.integer({ min: -1000, max: 100_000 }),
        fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => cents / 1000),
        fc.double({ noNaN: true, min: -1e16, max: 1e16 }),
        fc.constantFrom(0, 0.1 + 0.2, 1.005, 2.675, 0.1149, 1e14, 1e300, 43281, 60, 1e12 + 0.125),
      )
      .map((value): Cell => ({ tag: 'number', number: value })),
  },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS).map((text): Cell => ({ tag: 'text', text })) },
  { weight: 1, arbitrary: fc.boolean().map((boolean): Cell => ({ tag: 'boolean', boolean })) },
  { weight: 1, arbitrary: fc.constantFrom(43281, 43281.5, 60, 1).map((serial): Cell => ({ tag: 'date', serial })) },
  { weight: 1, arbitrary: fc.constantFrom('#N/A', '#DIV/0!').map((text): Cell => ({ tag: 'error', text })) },
);

const column = fc.constantFrom('a', 'b', 'c', 'origin.a');
const step = (...steps: SerializationInput[]): fc.Arbitrary<SerializationInput> => fc.constantFrom(...steps);

const textStep = step(
  { type: 'trim' },
  { type: 'upper' },
  { type: 'lower' },
  { type: 'replaceStrings', value: ['-', "'"] },
  { type: 'slice', value: [1] },
  { type: 'slice', value: [-3, -1] },
  { type: 'split', by: '-', index: 1 },
  { type: 'padStart', length: 5 },
  { type: 'regexExtract', pattern: '([0-9]+)', group: 1 },
  { type: 'omit', values: ['1', 'no', 2.5] },
  { type: 'concat', separator: '/', parts: [{ text: 'x' }, { column: 'b' }] },
);
const numberStep = fc.oneof(
  step(
    { type: 'absolute' },
    { type: 'negate' },
    { type: 'round', digits: 2 },
    { type: 'round' },
    { type: 'divide', value: 3 },
    { type: 'multiply', value: 1.1 },
    { type: 'number', unit: 'thousands' },
    { type: 'distance', unit: 'miles' },
    { type: 'omit', values: [1, 2.5] },
  ),
  fc.record({ type: fc.constantFrom('add', 'subtract', 'min', 'max', 'divide'), column }),
);
const literal = fc.constantFrom<string | null>('current', 'y', null);
const operand = fc.oneof(literal, fc.record({ column }), fc.constant({ previous: true } as const));
const filter = fc.constantFrom<Record<string, unknown>>(
  {},
  { a: { gt: 2 } },
  { b: 'current' },
  { c: { exists: true } },
  { $or: [{ a: { lte: 1000 } }, { b: { like: 'a%' } }] },
  { $not: { a: { gte: 0 } } },
);
// biome-ignore-start lint/suspicious/noThenProperty: the word of the contract; a step is never awaited
/** A step whose result is text, or a cell as read. */
const decision: fc.Arbitrary<SerializationInput> = fc.oneof(
  fc.record({ type: fc.constant('ifStatement'), filter, then: operand, else: operand }),
  fc
    .record({ then: operand, default: fc.option(operand, { nil: undefined }) })
    .map(({ then, default: otherwise }): SerializationInput => {
      const cases = [{ equals: ['Yes', 2.5], then }];
      return otherwise === undefined
        ? { type: 'switchCase', cases }
        : { type: 'switchCase', cases, default: otherwise };
    }),
);

// biome-ignore-end lint/suspicious/noThenProperty: the word of the contract; a step is never awaited
const scale = fc.constantFrom('zeroTo1', 'zeroTo100');
/** Target, first steps, last step. */
const shapes: fc.Arbitrary<Pick<RuleInput, 'targetCol' | 'serializations'>>[] = [
  fc
    .array(textStep, { maxLength: 3 })
    .map((steps) => ({ targetCol: 'product', serializations: [...steps, { type: 'text' }] })),
  fc.array(numberStep, { maxLength: 3 }).map((steps) => ({
    targetCol: 'monthsOnBook',
    serializations: [{ type: 'number' }, ...steps],
  })),
  fc.tuple(decision, fc.array(textStep, { maxLength: 1 })).map(([first, steps]) => ({
    targetCol: 'sector',
    serializations: [first, ...steps, { type: 'text' }],
  })),
  fc.constant({ targetCol: 'isDelinquent', serializations: [{ type: 'boolean' }] }),
  decision.map((first) => ({ targetCol: 'assetStatus', serializations: [first, { type: 'assetStatus' }] })),
  fc
    .record({
      type: fc.constant('SerializedSum'),
      unit: fc.constantFrom('scalar', 'thousands'),
      currencyColumn: fc.option(column, { nil: undefined }),
    })
    .map(({ currencyColumn, ...rest }) => ({
      targetCol: 'sum',
      serializations: [currencyColumn === undefined ? rest : { ...rest, currencyColumn }],
    })),
  fc.array(numberStep, { minLength: 1, maxLength: 2 }).map((steps) => ({
    targetCol: 'sums.arrears',
    serializations: [...steps, { type: 'SerializedSum', currency: 'KWD' }],
  })),
  scale.map((each) => ({ targetCol: 'currentLtv', serializations: [{ type: 'percentage', scale: each }] })),
  scale.map((each) => ({
    targetCol: 'interestRate',
    serializations: [{ type: 'trim' }, { type: 'SerializedInterest', scale: each }],
  })),
  fc.constant({ targetCol: 'term', serializations: [{ type: 'SerializedTerm', unit: 'months' }] }),
  fc.constantFrom('excel', 'ISO', 'american', 'timestampSeconds').map((format) => ({
    targetCol: 'dateFinanced',
    serializations: [{ type: 'date', format }],
  })),
  fc.constantFrom('excel', 'ISO').map((format) => ({
    targetCol: 'daysPastDue',
    serializations: [
      { type: 'date', format },
      { type: 'datesDiff', unit: 'months', column: 'c' },
      { type: 'round', digits: 3 },
    ],
  })),
].map((shape) => shape as fc.Arbitrary<Pick<RuleInput, 'targetCol' | 'serializations'>>);

const rule = fc
  .record({
    shape: fc.oneof(...shapes),
    originCol: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: null, freq: 8 }),
    mandatory: fc.boolean(),
    remainOriginCol: fc.boolean(),
  })
  .map(
    ({ shape, originCol, mandatory, remainOriginCol }): RuleInput => ({
      ...shape,
      originCol,
      checks: mandatory ? ['Mandatory'] : [],
      remainOriginCol: remainOriginCol && originCol !== null,
    }),
  );

/** Consistent mappings: one rule a target. Conditions and operands read headers. */
export const rulesArbitrary: fc.Arbitrary<RuleInput[]> = fc.uniqueArray(rule, {
  selector: (each) => each.targetCol,
  minLength: 1,
  maxLength: 5,
});
