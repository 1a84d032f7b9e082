import { expect, it } from 'vitest';
import { type FigureContext, readFigureQuestion } from './figures.ts';
import { TEST_NAMES } from './testing/subjects-for-questions.ts';

const documents = (...titles: string[]) => titles.map((title) => ({ value: title, words: [title] }));
const context: FigureContext = {
  names: {
    ...TEST_NAMES,
    fund: documents('Northgate Credit Fund I', 'Harbor Direct Lending II'),
    'investor.id': documents('Alder Pension Trust', 'Birch Insurance', 'Northgate Feeder'),
    company: documents('Acme Auto Finance', 'Bluewater Lending'),
    transaction: documents('Acme warehouse facility', 'Bluewater term loan'),
  },
  today: '2026-10-31',
  isManager: true,
  sees: { facilities: true, capital: true },
};
const investor: FigureContext = { ...context, isManager: false, sees: { facilities: false, capital: true } };
const borrower: FigureContext = { ...context, isManager: false, sees: { facilities: true, capital: false } };
const [northgate, harbor] = ['Northgate Credit Fund I', 'Harbor Direct Lending II'];
const facility = (figure: string, company: string, ...transactions: string[]) => ({
  kind: 'facility',
  figure,
  companies: company ? [company] : [],
  transactions,
});
const capital = (figure: string, of: { fund?: string; investor?: string; from?: string; at?: string } = {}) => ({
  kind: 'capital',
  figure,
  ...{ fund: null, investor: null, from: null, at: null, ...of },
});

it.each([
  ['what is the availability of Acme', facility('availability', 'Acme Auto Finance', 'Acme warehouse facility')],
  ['availability of the Acme warehouse facility', facility('availability', '', 'Acme warehouse facility')],
  ["What's Bluewater Lending's net borrowing base today?", facility('netBB', 'Bluewater Lending')],
  ['how much can acme still draw?', facility('availability', 'Acme Auto Finance', 'Acme warehouse facility')],
  ['when does the Bluewater term loan mature', facility('maturity', '', 'Bluewater term loan')],
  ['NAV of Harbor', capital('nav', { fund: harbor })],
  ['net IRR of Northgate Credit Fund I', capital('netIrr', { fund: northgate })],
  ['IRR of Harbor at the end of 2025', capital('irr', { fund: harbor, at: '2025-12-31' })],
  ['TVPI of Harbor as of 30 June 2026', capital('tvpi', { fund: harbor, at: '2026-06-30' })],
  ['how much has Harbor called so far?', capital('called', { fund: harbor })],
  [
    'how much did Harbor distribute in 2025',
    capital('distributed', { fund: harbor, from: '2025-01-01', at: '2025-12-31' }),
  ],
  [
    'how much was called from Birch this year',
    capital('called', { investor: 'Birch Insurance', from: '2026-01-01', at: '2026-10-31' }),
  ],
  [
    'how much has Harbor distributed since 1 July 2026',
    capital('distributed', { fund: harbor, from: '2026-07-01', at: '2026-10-31' }),
  ],
  [
    "What is Alder's unfunded commitment in Harbor?",
    capital('unfunded', { fund: harbor, investor: 'Alder Pension Trust' }),
  ],
  ['total NAV of all funds', capital('nav')],
  ['our NAV', capital('nav')],
])('reads “%s”', (question, expected) => {
  expect(readFigureQuestion(question, context)).toEqual(expected);
});

it.each([
  ['NAV of Northgate', 'can mean Northgate Credit Fund I or Northgate Feeder'],
  ['what is the NAV?', 'Of which fund or investor?'],
  ['what is the availability', 'Of which facility?'],
  ['what is the availability of Zebra', 'did not understand “Zebra”'],
  ['NAV of Harbor in 2025', 'the figure of a day'],
  ['NAV of Harbor as of 31 December 2027', 'lies ahead'],
  ['availability of Acme at the end of 2025', 'as of today'],
])('asks back: %s', (question, text) => {
  const reading = readFigureQuestion(question, context);
  expect(reading).toMatchObject({ kind: 'asks', text: expect.stringContaining(text) });
  // Each choice answers the question.
  for (const choice of reading?.kind === 'asks' ? reading.choices : [])
    expect(readFigureQuestion(choice.question, context)?.kind, choice.question).not.toBe('asks');
});

it('reads what is one’s own as everything that one sees', () => {
  expect(readFigureQuestion('what is my NAV', investor)).toEqual(capital('nav'));
  expect(readFigureQuestion('What is my IRR?', investor)).toEqual(capital('irr'));
  expect(readFigureQuestion('how much can we still draw?', borrower)).toEqual(facility('availability', ''));
  expect(readFigureQuestion('what is our commitment', borrower)).toEqual(facility('commitments', ''));
});

it.each([
  'balance over 5k',
  'loans with a balance over 5k',
  'show the commitments of Alder',
  'funds with an IRR above 10%',
  'how many capital calls has Harbor made',
  'what facilities mature in 2028',
  'calls over 1m called from Birch',
  'draws of Acme above the availability',
  'constructor',
])('leaves “%s” to the lists', (question) => {
  expect(readFigureQuestion(question, context)).toBeNull();
});

it('knows no figure that the person may not read', () => {
  expect(readFigureQuestion('NAV of Harbor', borrower)).toBeNull();
  expect(readFigureQuestion('availability of Acme', investor)).toBeNull();
});
