import type { ValidationKind } from '@tapeline/domain/tapes/rule.schema.ts';
import {
  DATE_FORMATS,
  DATE_ORDERS,
  DECIMAL_SIGNS,
  NEGATIVES,
  type SerializationInput,
  type SerializationType,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import fc from 'fast-check';

/** Columns by number: `@0` to `@3` are headers, `@4` and up are the previous rules, starting with the first. */
export const columnArbitrary = fc.integer({ min: 0, max: 9 }).map((index) => `@${index}`);

const one = <const T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const unit = one('scalar', 'thousands', 'millions', 'billions');
const time = one('days', 'weeks', 'months', 'quarters', 'years');
const scale = one('zeroTo1', 'zeroTo100');
const currency = one('USD', 'JPY', 'KWD', 'CLF', 'EUR');
const bound = fc.oneof(
  one(0, 1, -1, 0.3, 2.5, 100, 1e-7, 1e14, 1e21, 123456789012345680000, 1e300, -0),
  fc.integer({ min: -1000, max: 1000 }).map((hundredths) => hundredths / 100),
);
const twoSided = (type: SerializationType) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ type: fc.constant(type), value: bound }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant(type), column: columnArbitrary }) },
  );
/** With and without the options of figures. */
const withFigures = (options: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(
      fc.record(options),
      fc.record({ decimal: one(...DECIMAL_SIGNS), negative: one(...NEGATIVES) }, { requiredKeys: [] }),
    )
    .map(([own, figures]) => ({ ...own, ...figures }));
const literal = one<string | number | boolean | null>('current', 'y', 'paid', '', ' x ', 'ΟΔΟΣ', 1, 2.5, 0, true, null);
const operand = fc.oneof(
  { weight: 2, arbitrary: literal },
  { weight: 2, arbitrary: fc.record({ column: columnArbitrary }) },
  { weight: 1, arbitrary: fc.constant({ previous: true } as const) },
);

const condition = fc
  .tuple(
    fc.tuple(columnArbitrary, one('', '', '', '.currency', '.unit', '.days', '.kind')).map((named) => named.join('')),
    fc.oneof(
      fc
        .tuple(
          one('eq', 'neq', 'gt', 'gte', 'lt', 'lte'),
          fc.oneof(
            columnArbitrary.map(($field) => ({ $field })),
            one({ $cutOff: '-1m' }, { $cutOff: '-400d' }),
          ),
        )
        .map(([word, operand]) => ({ [word]: operand })),
      fc.tuple(one('eq', 'neq', 'gt', 'gte', 'lt', 'lte'), bound).map(([word, value]) => ({ [word]: value })),
      one<unknown>(
        ...[{ exists: true }, { exists: false }, 'current', { in: ['USD', 'a-b-c', 'Yes'] }, { nin: ['jpy', 'no'] }],
        ...[{ like: 'a%' }, { like: '%é_' }, { regex: '^[0-9]+$' }, { regex: 'OFF|😀', options: 'i' }, { eq: true }],
        ...[{ neq: false }, { gte: '2018-06-30' }, { lt: '2020-01-01' }, { in: [1, 2.5, 60] }, { gt: 'a', lt: 'b' }],
      ),
    ),
  )
  .map(([name, test]) => ({ [name]: test }));
const filter = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2 },
    condition,
    fc.constant({}),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $nor: fc.array(tie('filter'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ $not: tie('filter') }),
  ),
})).filter;

/** Numbers of formulas, numeric and of dates, in brackets or quotes. */
export const formulaArbitrary = fc
  .letrec<{ number: string; date: string }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'formula' },
      { weight: 2, arbitrary: one('0', '1', '2.5', '100', '0.3', '1000000', 'value') },
      { weight: 6, arbitrary: columnArbitrary.map((name) => `[${name}]`) },
      { weight: 1, arbitrary: columnArbitrary.map((name) => `"${name}"`) },
      {
        weight: 8,
        arbitrary: fc
          .tuple(tie('number'), one('+', '-', '*', '/'), tie('number'))
          .map(([left, sign, right]) => `${left} ${sign} ${right}`),
      },
      { weight: 3, arbitrary: tie('number').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: tie('number').map((inner) => `-(${inner})`) },
      { weight: 1, arbitrary: tie('number').map((inner) => `abs(${inner})`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie('number'), fc.integer({ min: 0, max: 8 }))
          .map(([of, places]) => `round(${of}, ${places})`),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(one('min', 'max'), fc.array(tie('number'), { minLength: 2, maxLength: 3 }))
          .map(([name, parts]) => `${name}(${parts.join(', ')})`),
      },
      {
        weight: 2,
        arbitrary: fc.tuple(tie('date'), tie('date'), time).map(([to, from, named]) => `(${to} - ${from} in ${named})`),
      },
    ),
    date: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'date' },
      one('cutOff', 'value'),
      columnArbitrary.map((name) => `[${name}]`),
      fc.tuple(one('min', 'max'), tie('date'), tie('date')).map(([name, a, b]) => `${name}(${a}, ${b})`),
    ),
  }))
  .number.filter((formula) => formula.length <= 120);

const pattern = one(
  ...[
    ['([0-9]+)', 1],
    ['[0-9]+', 0],
    ['^(.)(.*)$', 2],
    ['\\s+(\\S+)', 1],
    ['[\\s-]+', 0],
    ['([A-Z]{2,3})|(-)', 2],
    ['a.c', 0],
    ['\\w+\\b'.slice(0, 3), 0],
    ['\\.', 0],
    ['(\\d+)[,/](\\d+)', 2],
    ['[^a-c\\s]', 0],
  ].map(([source, group]) => ({ pattern: String(source), group: Number(group) })),
);

// biome-ignore-start lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
/** All steps with their options. Column names are given as in `columnArbitrary`. */
const STEPS: Readonly<Record<SerializationType, fc.Arbitrary<object>>> = {
  text: fc.record({}),
  number: withFigures({ unit }),
  boolean: fc.record({}),
  date: fc.record(
    {
      format: one(...DATE_FORMATS),
      order: one(...DATE_ORDERS),
      firstYear: one(1900, 1930, 1970, 2000),
    },
    { requiredKeys: ['format'] },
  ),
  percentage: withFigures({ scale }),
  SerializedPercentage: withFigures({ scale }),
  SerializedSum: fc.oneof(
    withFigures({ unit }),
    fc.record({ unit, currency }),
    fc.record({ unit, currencyColumn: columnArbitrary }),
  ),
  SerializedTerm: withFigures({ unit: time }),
  SerializedInterest: withFigures({ scale, kind: one('fix', 'variable') }),
  distance: withFigures({ unit: one('kilometers', 'miles') }),
  weight: withFigures({ unit: one('feet', 'meter', 'inch') }),
  assetStatus: fc.record({}),
  add: twoSided('add'),
  subtract: twoSided('subtract'),
  multiply: twoSided('multiply'),
  divide: twoSided('divide'),
  calculate: fc.record({ formula: formulaArbitrary }),
  // Other exponents can differ in the last bit between engines. `arithmetic.test.ts` covers those.
  power: fc.record({ value: one(0, 1) }),
  min: twoSided('min'),
  max: twoSided('max'),
  absolute: fc.record({}),
  negate: fc.record({}),
  round: fc.record({ digits: fc.integer({ min: 0, max: 8 }) }),
  trim: fc.record({}),
  upper: fc.record({}),
  lower: fc.record({}),
  replaceStrings: fc.record({ value: one(['-', "'"], [' ', ''], ['a', 'aa'], ['%', ''], ['😀', '\\1'], ['N/A', '']) }),
  slice: fc.record({
    value: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 2 }),
  }),
  concat: fc.record(
    {
      onMissing: one('leaveOut', 'whole'),
      separator: one('', '/', ' '),
      parts: fc.array(fc.oneof(fc.record({ column: columnArbitrary }), fc.record({ text: one('x', ' ', '😀') })), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    { requiredKeys: ['separator', 'parts'] },
  ),
  split: fc.record({ by: one('-', ' ', '--', '.', '😀', 'a'), index: fc.integer({ min: -3, max: 3 }) }),
  padStart: fc.record({ length: fc.integer({ min: 1, max: 9 }), fill: one('0', 'xy', '😀', ' ') }),
  regexExtract: pattern,
  hash: fc.record({}),
  rowNumber: fc.record({}),
  ifStatement: fc.oneof(
    fc.record({ filter, then: operand, else: operand }),
    fc.record({ filter, then: operand }),
    fc.record({ filter: filter.map((each) => JSON.stringify(each)), then: operand }),
  ),
  switchCase: fc
    .record({
      cases: fc.array(
        fc.record({
          equals: fc.oneof(literal, fc.array(literal, { minLength: 1, maxLength: 3 })),
          then: operand,
        }),
        { minLength: 1, maxLength: 3 },
      ),
      default: fc.option(operand, { nil: undefined }),
    })
    .map(({ default: otherwise, ...rest }) => (otherwise === undefined ? rest : { ...rest, default: otherwise })),
  datesDiff: fc.oneof(
    fc.record({ unit: time }),
    fc.record({ unit: time, column: columnArbitrary }),
    fc.record({ unit: time, column: columnArbitrary, format: fc.constantFrom(...DATE_FORMATS) }),
  ),
  omit: fc.record({ values: fc.array(literal, { minLength: 1, maxLength: 3 }).map(withoutNull) }),
};
// biome-ignore-end lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited

function withoutNull(literals: readonly (string | number | boolean | null)[]): (string | number | boolean)[] {
  return literals.map((each) => each ?? 'N/A');
}

const stepOf = (type: SerializationType): fc.Arbitrary<SerializationInput> =>
  STEPS[type].map((options) => ({ ...options, type }) as SerializationInput);
const TYPES = Object.keys(STEPS) as SerializationType[];

/** Any step, or a few steps that are used together. */
export const stepsArbitrary: fc.Arbitrary<SerializationInput[]> = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(...TYPES.map((type) => stepOf(type).map((step) => [step]))) },
  { weight: 1, arbitrary: fc.tuple(stepOf('date'), stepOf('datesDiff')) },
  { weight: 1, arbitrary: fc.tuple(stepOf('switchCase'), stepOf('assetStatus')) },
  { weight: 1, arbitrary: fc.tuple(stepOf('omit'), stepOf('SerializedSum')) },
  { weight: 1, arbitrary: fc.tuple(stepOf('replaceStrings'), stepOf('SerializedSum')) },
);

const VALIDATIONS: Readonly<Record<ValidationKind, fc.Arbitrary<object>>> = {
  minNumber: fc.record({ value: bound }),
  maxNumber: fc.record({ value: bound }),
  minDate: fc.record({ value: one('2018-06-30', '1970-01-01') }),
  maxDate: fc.record({ value: one('2018-06-30', '1970-01-01') }),
  notContains: fc.record({ value: one('a', '-', 'é', "'", '😀') }),
  mustContains: fc.record({ value: one('a', '-', 'é', "'", '😀') }),
  mustBeTrue: fc.record({}),
  mustBeFalse: fc.record({}),
  minLength: fc.record({ value: fc.integer({ min: 0, max: 5 }) }),
  maxLength: fc.record({ value: fc.integer({ min: 0, max: 5 }) }),
};

export const validationArbitrary = fc.oneof(
  ...Object.entries(VALIDATIONS).map(([kind, options]) => options.map((each) => ({ ...each, kind }))),
);
