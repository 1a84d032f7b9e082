import { DISTRIBUTION_KINDS } from '../capital/distribution.schema.ts';
import { DRAW_STATUSES, DRAW_TYPES } from '../draws/draw.schema.ts';
import { BASE_RATES } from '../facilities/terms.schema.ts';
import { TRANSACTION_TYPES } from '../facilities/transaction.schema.ts';
import type { FieldCatalog } from '../filters/catalog.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '../funds/fund.schema.ts';
import { CURRENCIES } from '../money/currencies.ts';
import { REPAYMENT_KINDS } from '../repayments/repayment.schema.ts';
import type { FieldWords, NamedValue, Subject, WordedCondition } from './vocabulary.ts';

/** Names of documents and values that questions can use, as far as the person who asks can see them. */
export interface Names {
  /** Values by the path of their field; a name of a document means its id. */
  readonly [path: string]: readonly NamedValue[];
}

const WAITING = Object.fromEntries(
  [
    'open',
    'not decided',
    'waiting',
    'waiting for approval',
    'awaiting approval',
    'pending approval',
    'waiting for a decision',
    'undecided',
  ].map((words) => [words, { filter: { status: { in: ['Pending', 'In Review'] } } }]),
);

/** Exceptions that wait, and exceptions that were skipped. */
const EXCEPTED: Readonly<Record<string, WordedCondition>> = {
  ...worded(['with exceptions', 'with an exception', 'with any exception', 'have exceptions', 'had exceptions'], {
    filter: { $or: [{ 'exceptions.pending': { gt: 0 } }, { 'exceptions.skipped': { gt: 0 } }] },
  }),
  ...worded(
    ['without exceptions', 'without an exception', 'without any exception', 'with no exceptions', 'have no exceptions'],
    {
      filter: { 'exceptions.pending': 0, 'exceptions.skipped': 0 },
    },
  ),
};

/** Payments are not recorded: what was issued and is not closed is taken as unpaid, and the answer says so. */
const UNPAID = { status: { in: ['Active', 'Upcoming'] } };
const UNPAID_NOTE = 'Payments are not recorded: a call counts as unpaid until it is closed.';
const PAYMENT: Readonly<Record<string, WordedCondition>> = {
  ...worded(['open', 'outstanding'], { filter: UNPAID }),
  ...worded(['unpaid', 'not paid', 'not yet paid', 'unsettled', 'not settled', 'still to pay', 'left to pay'], {
    filter: UNPAID,
    note: UNPAID_NOTE,
  }),
  ...worded(['overdue', 'past due', 'late', 'past their due date', 'past its due date'], {
    filter: { status: 'Active', dueDate: { lt: 'today' } },
    note: UNPAID_NOTE,
  }),
};

function worded(phrases: readonly string[], condition: WordedCondition): Record<string, WordedCondition> {
  return Object.fromEntries(phrases.map((phrase) => [phrase, condition]));
}

type SubjectWords = Omit<Subject, 'catalog'>;

const named = (...values: readonly string[]): NamedValue[] => values.map((value) => ({ value, words: [value] }));
const REMOVED: NamedValue = { value: 'Removed', words: ['withdrawn', 'cancelled', 'canceled', 'deleted'] };
const STATUSES = {
  words: ['state of the document'],
  values: [...named('Draft', 'Active', 'Closed', 'Removed'), REMOVED],
};
const HIDDEN: FieldWords = { isHidden: true };
const FUND: FieldWords = { words: ['vehicle'] };
const KINDS: FieldWords = {
  values: [
    { value: 'LP', words: ['LP', 'LPs', 'limited partner'] },
    { value: 'fund', words: ['funds as investors'] },
  ],
};
const CAPITAL = {
  id: HIDDEN,
  code: HIDDEN,
  'metadata.bundleId': HIDDEN,
  'fund.title': HIDDEN,
  'investor.title': HIDDEN,
  'metadata.iat': { words: ['created', 'entered', 'creation date'] },
  status: { ...STATUSES, values: [...STATUSES.values, ...named('Upcoming')] },
  fund: FUND,
  'investor.id': { words: ['limited partner', 'LP'] },
  'investor.kind': { values: KINDS.values, isNamed: false },
  Class: { words: ['fund class', 'share class'], isShared: true },
} satisfies Record<string, FieldWords>;
const money = (currency: string, ...words: readonly string[]): FieldWords => ({ money: currency, words });
const sum = (path: string, ...words: readonly string[]): FieldWords => money(`${path}.currency`, ...words);

/** What questions about assets say, besides the labels of the fields. */
const ASSETS: SubjectWords = {
  nouns: ['loans', 'assets', 'loan', 'receivables', 'accounts', 'contracts', 'exposures', 'positions', 'borrowers'],
  size: 'sums.outstandingSum',
  age: 'dateFinanced',
  lateness: 'daysPastDue',
  status: 'assetStatus',
  length: 'term',
  rate: 'interestRate',
  id: 'assetId',
  conditions: worded(['late', 'overdue', 'past due'], { filter: { daysPastDue: { gt: 0 } } }),
  fields: {
    row: { isHidden: true },
    loanTape: HIDDEN,
    assetId: { words: ['loan id', 'id', 'loan number', 'asset number'] },
    borrowerId: { words: ['borrower', 'borrower number'] },
    assetType: { words: ['type of asset'], isNamed: false },
    assetStatus: {
      words: ['status', 'loan status'],
      values: [
        { value: 'default', words: ['defaulted', 'in default'] },
        { value: 'chargedOff', words: ['charge off', 'charge-off', 'written off', 'charged-off'] },
        { value: 'paid', words: ['paid off', 'fully paid', 'repaid'] },
        { value: 'prePaid', words: ['paid early', 'prepaid', 'pre-paid'] },
        { value: 'canceled', words: ['cancelled'] },
        { value: 'slowPayment', words: ['slow pay', 'slow paying', 'slow payer'] },
        { value: 'performingAsset', words: ['performing'] },
        { value: 'nonPerformingAsset', words: ['non-performing', 'nonperforming'] },
      ],
    },
    currency: { words: ['denominated', 'denominated in', 'loan currency'] },
    dateFinanced: {
      when: 'behind',
      words: [
        'originated',
        'booked',
        'financed',
        'funded',
        'origination',
        'date financed',
        'vintage',
        'made on',
        'disbursed',
        'issued',
      ],
    },
    'dates.maturityDate': {
      when: 'ahead',
      isEnd: true,
      words: ['maturing', 'mature', 'matures', 'maturity', 'matured', 'due for repayment'],
    },
    'dates.firstPaymentDate': { words: ['first payment', 'first payment due'] },
    'dates.lastPaymentDate': { when: 'behind', words: ['last payment', 'last paid', 'most recent payment'] },
    'dates.nextPaymentDate': {
      when: 'ahead',
      words: ['next payment', 'next due', 'next payment due', 'payment due'],
    },
    'dates.defaultDate': { when: 'behind', words: ['defaulted', 'date of default'] },
    'dates.chargeOffDate': { when: 'behind', words: ['charged off', 'date of charge-off'] },
    term: { inDays: 'term.days', words: ['original term', 'tenor', 'loan term'] },
    remainingTerm: {
      inDays: 'remainingTerm.days',
      words: ['term left', 'remaining tenor', 'remaining', 'left', 'to maturity', 'until maturity', 'to run'],
    },
    monthsOnBook: {
      time: 'months',
      words: ['on book', 'on books', 'on the books', 'seasoned', 'seasoning', 'mob', 'loan age', 'age', 'aged'],
    },
    daysPastDue: {
      time: 'days',
      words: ['dpd', 'days late', 'days overdue', 'days delinquent', 'delinquency', 'lateness'],
    },
    isDelinquent: { words: ['delinquent', 'flagged delinquent'] },
    'sums.sum': sum(
      'sums.sum',
      'original balance',
      'original amount',
      'loan amount',
      'amount financed',
      'originated amount',
      'original loan amount',
      'initial balance',
      'original sum',
      'face value',
      'original size',
      'loan size',
      'principal',
      'amount',
      'sum',
    ),
    'sums.outstandingSum': sum(
      'sums.outstandingSum',
      'balance',
      'outstanding balance',
      'outstanding sum',
      'outstanding',
      'outstanding amount',
      'remaining balance',
      'upb',
      'bal',
      'current bal',
      'amount',
      'sum',
      'loan balance',
      'balance outstanding',
    ),
    'sums.outstandingPrincipal': sum(
      'sums.outstandingPrincipal',
      'principal balance',
      'principal',
      'remaining principal',
      'unpaid principal',
      'principal outstanding',
      'unpaid principal balance',
    ),
    'sums.outstandingInterest': sum(
      'sums.outstandingInterest',
      'accrued interest',
      'unpaid interest',
      'interest',
      'interest outstanding',
    ),
    'sums.arrears': sum('sums.arrears', 'amount in arrears', 'amount overdue', 'past due amount', 'overdue amount'),
    'sums.paidPrincipal': sum('sums.paidPrincipal', 'principal paid', 'principal'),
    'sums.paidInterest': sum('sums.paidInterest', 'interest paid', 'interest'),
    'sums.recoveries': sum('sums.recoveries', 'recovered', 'recovered amount', 'recovery'),
    'sums.scheduledPayment': sum(
      'sums.scheduledPayment',
      'instalment',
      'installment',
      'monthly payment',
      'scheduled instalment',
    ),
    'sums.collateralValue': sum('sums.collateralValue', 'collateral', 'value of the collateral', 'appraised value'),
    interestRate: { words: ['rate', 'interest', 'apr', 'coupon', 'yield'] },
    'interestRate.kind': {
      words: ['rate type', 'rate kind', 'type of rate', 'interest type'],
      values: [
        {
          value: 'variable',
          words: ['variable rate', 'floating rate', 'floating', 'variable interest', 'adjustable rate'],
        },
        { value: 'fix', words: ['fixed rate', 'fixed interest'] },
      ],
    },
    originalLtv: {
      words: [
        'ltv',
        'loan to value',
        'ltv at origination',
        'origination ltv',
        'original loan to value',
        'loan to value at origination',
      ],
    },
    currentLtv: { words: ['ltv', 'loan to value', 'current loan to value', 'ltv now'] },
    'creditScores.origination': {
      words: [
        'credit score',
        'fico',
        'score',
        'fico score',
        'origination fico',
        'original fico',
        'origination score',
        'fico at origination',
        'credit score at origination',
        'original credit score',
        'score at origination',
      ],
    },
    'creditScores.current': {
      words: [
        'credit score',
        'fico',
        'score',
        'fico score',
        'current fico',
        'current score',
        'refreshed fico',
        'latest fico',
      ],
    },
    'creditScores.grade': { words: ['credit grade', 'loan grade', 'risk grade', 'graded', 'rated', 'rating'] },
    sector: { words: ['industry', 'business sector'] },
    product: { words: ['product type', 'loan product', 'type of loan', 'loan type'] },
    'address.country': { words: ['nation'] },
    'address.state': { words: ['us state', 'borrower state'] },
    'address.city': { words: ['town'] },
    'address.zip': { words: ['zip code', 'postcode', 'postal code', 'zipcode'] },
    company: { words: ['originator', 'lender', 'borrower company'] },
    cutOffDate: { words: ['as of', 'tape date', 'cut off'] },
    'borrowingBase.status': {
      words: ['eligibility', 'pool status', 'borrowing base'],
      values: [
        { value: 'inEligible', words: ['not eligible', 'non-eligible', 'ineligible'] },
        { value: 'outOfScope', words: ['outside scope', 'out-of-scope'] },
      ],
    },
    'borrowingBase.amount': { money: true, words: ['borrowing base amount'] },
    'borrowingBase.excessRemoved': { money: true, words: ['excess', 'excess concentration'] },
    'borrowingBase.remaining': { money: true },
    'borrowingBase.advanced': { money: true },
  },
};

const LISTS: Readonly<Record<string, SubjectWords>> = {
  contributions: {
    nouns: ['capital calls', 'calls', 'contributions', 'capital contributions', 'drawdowns', 'notices', 'investors'],
    size: 'amount',
    age: 'dueDate',
    date: 'dueDate',
    money: 'amount',
    number: 'callNumber',
    conditions: PAYMENT,
    fields: {
      ...CAPITAL,
      'amount.sum': HIDDEN,
      'amount.currency': HIDDEN,
      amount: money('currency', 'called', 'call amount', 'called amount'),
      dueDate: { when: 'ahead', words: ['due', 'payable', 'falling due'] },
      callNumber: { words: ['number', 'call no'] },
      LPCurrentHoldingPercentage: { words: ['holding percentage', 'share'] },
    },
  },
  distributions: {
    nouns: ['distributions', 'payouts', 'distribution notices', 'investors'],
    size: 'totalDistributed',
    age: 'cutOffDate',
    date: 'cutOffDate',
    money: 'totalDistributed',
    number: 'callNumber',
    fields: {
      ...CAPITAL,
      'principal.sum': HIDDEN,
      'totalDistributed.sum': HIDDEN,
      callNumber: { words: ['distribution number'] },
      distributionKind: {
        words: ['distribution kind', 'distribution type', 'type'],
        values: named(...DISTRIBUTION_KINDS),
      },
      principal: money('currency', 'returned principal', 'return of capital'),
      totalIncome: money('currency', 'total income', 'interest income'),
      totalCg: money('currency', 'gains'),
      totalDistributed: money('currency', 'total distributed', 'distributed amount', 'amount', 'paid out', 'total'),
      isRecallable: { words: ['can be recalled'] },
      cutOffDate: { when: 'behind', words: ['paid', 'distributed', 'made', 'paid out on'] },
      LPCurrentHoldingPercentage: { words: ['holding percentage', 'share'] },
    },
  },
  commitments: {
    nouns: [
      'commitments',
      'investors',
      'LP commitments',
      'limited partners',
      'LPs',
      'who committed',
      'who has committed',
      'who have committed',
    ],
    size: 'activeCommitment',
    age: 'closingDate',
    date: 'closingDate',
    fields: {
      ...CAPITAL,
      status: { ...STATUSES },
      maxCommitment: money('currency', 'max commitment', 'maximum', 'total commitment'),
      activeCommitment: money('currency', 'active amount', 'commitment in force'),
      closingDate: { words: ['closed', 'closing', 'signed'] },
    },
  },
  draws: {
    nouns: ['draws', 'draw requests', 'drawings', 'requests'],
    size: 'valueInUsd',
    age: 'cutOffDate',
    date: 'dueDate',
    money: 'valueInUsd',
    conditions: { ...WAITING, ...EXCEPTED },
    fields: {
      id: HIDDEN,
      code: HIDDEN,
      'transaction.id': HIDDEN,
      'transaction.title': HIDDEN,
      note: HIDDEN,
      // Ids of users, whom questions do not know: "requested by Acme" names the borrower.
      requestedBy: HIDDEN,
      decidedBy: HIDDEN,
      'metadata.iat': { words: ['created', 'requested on', 'requested'] },
      status: {
        values: [...named(...DRAW_STATUSES), { value: 'In Review', words: ['under review', 'being reviewed'] }],
      },
      transaction: { words: ['deal', 'facility'] },
      noteTitle: { words: ['note'] },
      company: { words: ['borrower'] },
      'draws.type': {
        words: ['draw type', 'kind'],
        values: [...named(...DRAW_TYPES), { value: 'Prefunding', words: ['pre-funding'] }],
      },
      dueDate: { when: 'ahead', words: ['due', 'payable'] },
      valueInUsd: {
        money: true,
        onlyCurrency: 'USD',
        words: ['worth', 'value', 'value in usd', 'usd value', 'amount in usd'],
      },
      'amountInMainCurrency.sum': sum('amountInMainCurrency', 'main currency amount'),
      'exceptions.pending': { isCount: true, words: ['open exceptions', 'exceptions'] },
      'exceptions.skipped': { isCount: true, words: ['waived exceptions', 'approved exceptions', 'exceptions'] },
    },
  },
  repayments: {
    nouns: ['repayments', 'payments'],
    size: 'valueInUsd',
    age: 'cutOffDate',
    date: 'cutOffDate',
    money: 'valueInUsd',
    fields: {
      id: HIDDEN,
      code: HIDDEN,
      'transaction.id': HIDDEN,
      'transaction.title': HIDDEN,
      noteId: HIDDEN,
      'metadata.iat': { words: ['created', 'entered'] },
      status: { values: named('Active', 'Removed') },
      transaction: { words: ['deal', 'facility'] },
      company: { words: ['borrower'] },
      cutOffDate: { when: 'behind', words: ['paid', 'received'] },
      'repayments.kind': { words: ['kind', 'type'], values: named(...REPAYMENT_KINDS) },
      valueInUsd: { money: true, onlyCurrency: 'USD', words: ['worth', 'value', 'value in usd', 'usd value'] },
      'repayments.amount.currency': { isNamed: true, words: ['currency', 'paid in'] },
      'amountInMainCurrency.sum': sum('amountInMainCurrency', 'main currency amount'),
    },
  },
  transactions: {
    nouns: ['transactions', 'deals', 'facilities', 'facility', 'credit lines', 'investments'],
    conditions: worded(['open', 'live', 'running'], { filter: { status: 'Active' } }),
    age: 'terms.timeline.contractSigning',
    date: 'terms.timeline.maturity',
    fields: {
      id: HIDDEN,
      code: HIDDEN,
      companyName: HIDDEN,
      'metadata.iat': { words: ['created', 'entered'] },
      status: STATUSES,
      title: { words: ['name', 'called', 'named'] },
      type: {
        words: ['loan type', 'kind'],
        values: [
          ...named(...TRANSACTION_TYPES),
          { value: 'Asset Backed Lending', words: ['asset-backed', 'asset backed', 'ABL'] },
          { value: 'WholeLoan', words: ['whole loan'] },
          { value: 'Direct', words: ['direct lending'] },
          { value: 'Investment', words: ['equity', 'equity investment'] },
        ],
      },
      company: { words: ['borrower', 'originator'] },
      industries: { words: ['industry', 'sector'] },
      'notes.count': { isCount: true, words: ['number of notes'] },
      'notes.title': { words: ['note title'] },
      'terms.interest.kind': {
        words: ['rate type', 'interest kind'],
        values: [
          { value: 'fix', words: ['fixed', 'fixed rate'] },
          { value: 'variable', words: ['variable', 'variable rate', 'floating', 'floating rate'] },
        ],
      },
      ...Object.fromEntries(
        CURRENCIES.map(({ code }) => [
          `maxCommitments.${code}`,
          {
            money: true,
            onlyCurrency: code,
            words: ['commitments', 'commitment', 'maximum commitment', 'size'],
          } as const,
        ]),
      ),
      'terms.interest.baseRate': { values: named(...BASE_RATES) },
      'terms.timeline.contractSigning': { words: ['signed', 'contract signed', 'signing'] },
      'terms.timeline.maturity': {
        when: 'ahead',
        isEnd: true,
        words: ['maturing', 'matures', 'mature', 'maturity date'],
      },
    },
  },
  funds: {
    nouns: ['funds', 'vehicles'],
    size: 'targetSize',
    age: 'closingDate',
    date: 'closingDate',
    fields: {
      id: HIDDEN,
      code: HIDDEN,
      'metadata.iat': { words: ['created', 'entered'] },
      status: STATUSES,
      title: { words: ['name', 'called', 'named'] },
      type: {
        words: ['fund type', 'kind'],
        values: [...named(...FUND_TYPES), { value: 'ComingleFund', words: ['comingle', 'comingled', 'commingled'] }],
      },
      strategy: { values: named(...FUND_STRATEGIES) },
      targetSize: money('currency', 'target', 'target amount', 'size'),
      hardCap: money('currency', 'cap', 'hard-cap'),
      closingDate: { words: ['closed', 'closing', 'closes', 'final closing'] },
    },
  },
};

/** The lists that questions can be asked about, with what their rows are called. */
export const QUESTION_LISTS: readonly string[] = Object.keys(LISTS);

/** Assets with the custom fields of their mappings. */
export const assetSubject = (catalog: FieldCatalog, names: Names): Subject => withNames(ASSETS, catalog, names);

/** A list by its name. Throws for a list that no questions are asked about. */
export function listSubject(list: string, catalog: FieldCatalog, names: Names): Subject {
  const words = LISTS[list];
  if (!words) throw new Error(`No questions can be asked about ${list}`);
  return withNames(words, catalog, names);
}

function withNames(words: SubjectWords, catalog: FieldCatalog, names: Names): Subject {
  const fields: Record<string, FieldWords> = { ...words.fields };
  for (const field of catalog.fields) {
    const own = fields[field.path] ?? {};
    const isMoney = own.money === undefined && catalog.fields.some(({ path }) => path === `${field.path}.currency`);
    const days = `${field.path}.days`;
    const isTerm = own.inDays === undefined && catalog.fields.some(({ path }) => path === days);
    const known = names[field.path];
    fields[field.path] = {
      ...own,
      ...(isMoney ? { money: `${field.path}.currency` } : {}),
      ...(isTerm ? { inDays: days } : {}),
      ...(known ? { values: [...(own.values ?? []), ...known] } : {}),
      ...(known?.some(({ value, words: [name] }) => name !== value) ? { isReference: true } : {}),
      // Currencies and units of single amounts are only meant where their field is named.
      ...(/\.(currency|unit|days)$/.test(field.path) ? { isNamed: own.isNamed ?? false } : {}),
    };
  }
  return { ...words, catalog, fields };
}
