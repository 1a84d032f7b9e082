import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCatalog, type Field, type FieldType } from '../filters/catalog.ts';
import { type Filter, joinFilters, type Literal } from '../filters/filter.ts';
import { readLiteral } from '../filters/literal.ts';
import { operatorsFor } from '../filters/operators.ts';
import { filterToSentence } from '../filters/sentence.ts';
import type { QuestionContext } from './question-reader.ts';
import { readQuestion } from './read-question.ts';
import { assetSubject } from './subjects.ts';
import { plainForm } from './testing/same-filter.ts';
import { TEST_ASSETS, TEST_NAMES } from './testing/subjects-for-questions.ts';
import { QUESTION_LIMITS } from './tokens.ts';
import { createLexicon } from './vocabulary.ts';

const context: QuestionContext = {
  lexicon: createLexicon(assetSubject(TEST_ASSETS, TEST_NAMES)),
  today: '2026-10-31',
  mainCurrency: 'USD',
};
const ask = (question: string) => readQuestion(question, context);

const dates = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    'A and B',
    'missing',
    'not X',
    '“',
    '”',
    'a”b',
    'between 1 and 2',
    'x in any case',
    'Grade is A',
    'Texas',
    'texas',
    'TX',
    'tx',
    'Id',
    '',
    ' ',
  ),
);
const rawLiterals: Record<FieldType, fc.Arbitrary<unknown>> = {
  text: texts,
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })
    .map((value) => Number(value.toFixed(4))),
  decimal: fc.tuple(fc.integer(), fc.nat(9_999)).map(([whole, part]) => `${whole}.${String(part).padStart(4, '0')}`),
  boolean: fc.boolean(),
  date: dates.map((date) => date.slice(0, 10)),
  instant: dates,
};
const literalOf = (field: Field): fc.Arbitrary<Literal> =>
  (field.values ? fc.oneof(fc.constantFrom(...field.values), texts) : rawLiterals[field.type]).map((raw) => {
    const reading = readLiteral(field.type, raw);
    if ('problem' in reading) throw new Error(reading.problem);
    return reading.literal;
  });

const catalog = createCatalog([
  ...TEST_ASSETS.fields,
  { path: 'updatedAt', label: 'Updated', type: 'instant' },
  { path: 'note', label: 'Note', type: 'text' },
]);
const labels = catalog.fields.map(({ label }) => label);
const fields = catalog.fields.filter(({ label }) => labels.indexOf(label) === labels.lastIndexOf(label));

const conditions: fc.Arbitrary<Filter> = fc.constantFrom(...fields).chain((field) =>
  fc.constantFrom(...operatorsFor(field.type)).chain((operator): fc.Arbitrary<Filter> => {
    switch (operator) {
      case 'exists':
        return fc.boolean().map((exists) => ({ kind: 'exists', field, operator, exists }));
      case 'in':
      case 'nin':
        return fc
          .uniqueArray(literalOf(field), { maxLength: 5 })
          .map((values) => ({ kind: 'list', field, operator, values }));
      case 'like':
        return fc
          .constantFrom('a', 'a%', '%a', 'a_b', 'x, y', '50\\%', '%', 'a and b', '%(a)', 'missing')
          .map((pattern) => ({ kind: 'like', field, operator, pattern }));
      case 'regex':
        return fc
          .record({
            pattern: fc.constantFrom('^A[1-3]$', '^(A|B)$', 'x in any case', 'a, b'),
            ignoreCase: fc.boolean(),
          })
          .map((regex) => ({ kind: 'regex', field, operator, ...regex }));
      default:
        return literalOf(field).map((value) => ({ kind: 'compare', field, operator, value }));
    }
  }),
);
const filters: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    conditions,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 1, maxLength: 4 }))
      .map(([kind, parts]) => joinFilters(kind, parts)),
    tie('filter').map((filter): Filter => ({ kind: 'not', filter })),
  ),
})).filter;

it('reads the sentence of any filter back to the same filter', () => {
  const own = { ...context, lexicon: createLexicon(assetSubject(catalog, {})) };
  fc.assert(
    fc.property(filters, (filter) => {
      const sentence = filterToSentence(filter);
      fc.pre(sentence.length <= QUESTION_LIMITS.characters);
      const reading = readQuestion(sentence, own);
      expect(reading.kind, sentence).toBe('filter');
      if (reading.kind === 'filter') expect(plainForm(reading.filter), sentence).toBe(plainForm(filter));
    }),
    { numRuns: 1_500 },
  );
});

it.each([
  ...['constructor', '0constructor', '5 constructor', 'balance over 5 toString', 'more than 3 hasOwnProperty loans'],
  ...['constructor 5 days', 'valueOf year', '__proto__', 'balance over 5 __proto__', 'State is constructor'],
])('takes %s for words like all others', (question) => {
  expect(() => ask(question)).not.toThrow();
});

it('answers any text, and in time that its length bounds', () => {
  const words = fc.constantFrom(
    ...'( ) not or and , loans top 10 by balance between 5 60+ days late “ ” " Texas in grade A is missing over $1m last quarter credit score 9 - / neither nor with no the rate'.split(
      ' ',
    ),
  );
  const hostile = fc.oneof(
    fc.string({ maxLength: 4_500, size: 'max' }),
    fc.array(words, { maxLength: 800, size: 'max' }).map((parts) => parts.join(' ')),
    words.chain((word) => fc.integer({ min: 1, max: 2_000 }).map((count) => `${word} `.repeat(count))),
  );
  fc.assert(
    fc.property(hostile, (question) => {
      const start = process.cpuUsage();
      const reading = ask(question);
      if (reading.kind === 'asks') expect(reading.text).not.toBe('');
      // Processor time, because other programs of a loaded machine take time too.
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000).toBeLessThan(2_000);
    }),
    { numRuns: 120 },
  );
}, 60_000);

it.each([
  [4_000, false],
  [4_001, true],
])('reads a question of %i characters: refused for its length is %s', (length, isRefused) => {
  const question = `State is CA${' '.repeat(length - 11)}`;
  const reading = ask(question);
  expect(reading.kind === 'asks').toBe(isRefused);
});

it('names the words that it does not understand', () => {
  expect(ask('shiny loans in Texas that glitter')).toMatchObject({ kind: 'asks', unknown: ['shiny', 'glitter'] });
});

it('offers questions without the doubt', () => {
  const reading = ask('loans in Texas with credit score below 620');
  expect(reading).toMatchObject({
    kind: 'asks',
    choices: [
      { label: 'Origination credit score', question: 'loans in Texas with Origination credit score below 620' },
      { label: 'Current credit score', question: 'loans in Texas with Current credit score below 620' },
    ],
  });
  for (const { question } of reading.kind === 'asks' ? reading.choices : []) expect(ask(question).kind).toBe('filter');
});

it('says what a filter cannot express', () => {
  expect(ask('average balance of loans in Texas')).toMatchObject({
    kind: 'asks',
    text: expect.stringMatching(/cannot answer “average”/),
  });
});

it.each([
  ['rate over 0.12', /0\.12% or 12%/],
  ['original LTV over .8', /0\.8% or 80%/],
  ['interest over 500', /can mean/],
  ['delinquent loans', /can mean/],
  ['past due loans', /can mean/],
  ['balance ~ 5k', /did not understand “~”/],
  ['balance over ₹5k', /did not understand/],
  ['balance 5.000', /did not understand “5.000”/],
  ['loans from Washington DC', /two values at once/],
  ['rate between 12% and 10%', /cannot be over 12 and under 10/],
  ['10 largest and 10 smallest', /two orders/],
  ['oldest 10 largest loans', /two orders/],
  ['loans originated from 2024', /in that time, or since/],
  ['late loans in Texas or charged off loans in Florida', /brackets/],
  ['loans in Texas that are late, charged off or in default', /brackets/],
  ['largest borrowers in Texas', /does not add them up/],
])('asks back instead of guessing: %s', (question, text) => {
  const reading = ask(question);
  expect(reading).toMatchObject({ kind: 'asks', text: expect.stringMatching(text) });
  // Each choice answers the question.
  for (const choice of reading.kind === 'asks' ? reading.choices : [])
    expect(ask(choice.question).kind, choice.question).toBe('filter');
});

it.each([
  ['all but Texas', 'State is not TX'],
  ['balance 5-10k', 'Current balance is between 5000 and 10,000'],
  ['balance over A$5k', 'Current balance is more than 5000 and Current balance currency is AUD'],
  ['city Austin or Dallas', 'City is Austin or Dallas'],
  ['Bluewater loans', 'Company is c00000000000000000000002'],
  ['loans of Acme or Bluewater', 'Company is c00000000000000000000001 or c00000000000000000000002'],
  ['Loans with grade A', 'Grade is A'],
  ['grade A or B', 'Grade is A or B'],
  ['B rated loans in Texas', 'Grade is B and State is TX'],
  ['rate of 8 per cent or more', 'Interest rate is at least 8%'],
  ['originated between March and May 2025', 'Origination date is between 1 Mar 2025 and 31 May 2025'],
  ['originated from 5 to 20 March 2025', 'Origination date is between 5 Mar 2025 and 20 Mar 2025'],
  ['originated Q1 to Q3 2025', 'Origination date is between 1 Jan 2025 and 30 Sep 2025'],
  ['loans without recoveries', 'Recoveries is missing or Recoveries is 0'],
  ['loans missing recoveries', 'Recoveries is missing'],
  ['loans at 8 per cent or more', 'Interest rate is at least 8%'],
  ['loans with a balance over half a million', 'Current balance is more than 500,000'],
  ['charged off loans that still carry a balance', 'Asset status is charged off and Current balance is more than 0'],
])('reads “%s” as “%s”', (question, sentence) => {
  const reading = ask(question);
  expect(reading.kind === 'filter' ? filterToSentence(reading.filter) : reading.text).toBe(sentence);
});

it('reads a code of one letter whether or not the list knows it', () => {
  const own = { ...context, lexicon: createLexicon(assetSubject(TEST_ASSETS, {})) };
  const sentences = ['Loans with grade A', 'loans with grade A and rate over 5%', 'grade A or B', 'grade I loans'].map(
    (question) => {
      const reading = readQuestion(question, own);
      return reading.kind === 'filter' ? filterToSentence(reading.filter) : reading.text;
    },
  );
  expect(sentences).toEqual([
    'Grade is A',
    'Grade is A and Interest rate is more than 5%',
    'Grade is A or B',
    'Grade is I',
  ]);
});

it('reads the beginning of a name only where one document has it', () => {
  const company = ['Harbor Auto', 'Harbor Bank', 'Maple Credit'].map((title, at) => ({
    value: `id${at}`,
    words: [title],
  }));
  const own = { ...context, lexicon: createLexicon(assetSubject(TEST_ASSETS, { ...TEST_NAMES, company })) };
  expect(readQuestion('Maple loans', own)).toMatchObject({ kind: 'filter', filter: { value: 'id2' } });
  expect(readQuestion('Harbor loans', own)).toMatchObject({
    kind: 'asks',
    choices: [{ question: 'Harbor Auto loans' }, { question: 'Harbor Bank loans' }],
  });
});

it('takes several documents of one name for all of them', () => {
  const company = ['one', 'two'].map((value) => ({ value, words: ['Maple Credit'] }));
  const own = { ...context, lexicon: createLexicon(assetSubject(TEST_ASSETS, { company })) };
  expect(readQuestion('loans of Maple Credit', own)).toMatchObject({ filter: { values: ['one', 'two'] } });
});

it.each([
  ['lons in califronia', 'loans in california'],
  ['ballance > 10k', 'balance > 10k'],
  ['originated febuary 2025', 'originated February 2025'],
  ['bluewater loans', 'Bluewater Lending loans'],
  ['acme or bluewater', 'Acme Auto Finance or Bluewater Lending'],
  ['originated on 3/4/2024', 'originated on 4 March 2024'],
  ['maturing in March', 'maturing in March 2026'],
])('offers “%s” as “%s”', (question, offered) => {
  const reading = ask(question);
  const choices = reading.kind === 'asks' ? reading.choices.map((choice) => choice.question) : [];
  expect(choices.map((one) => one.toLowerCase())).toContain(offered.toLowerCase());
  for (const choice of choices) expect(ask(choice).kind, choice).toBe('filter');
});

it.each(['ever late', 'loans from last month', 'shiny loans', 'a b c d e f late'])(
  'offers nothing for “%s”',
  (question) => {
    expect(ask(question)).toMatchObject({ kind: 'asks', choices: [] });
  },
);
