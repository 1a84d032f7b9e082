import { DISTRIBUTION_KINDS } from '../capital/distribution.schema.ts';
import { DRAW_STATUSES, DRAW_TYPES } from '../draws/draw.schema.ts';
import { BASE_RATES } from '../facilities/terms.schema.ts';
import { TRANSACTION_TYPES } from '../facilities/transaction.schema.ts';
import { FUND_STRATEGIES, FUND_TYPES } from '../funds/fund.schema.ts';
import { CURRENCIES } from '../money/currencies.ts';
import { REPAYMENT_KINDS } from '../repayments/repayment.schema.ts';
import {
  CAPITAL,
  HIDDEN,
  moneyWords,
  namedValues,
  STATUSES,
  type SubjectWords,
  sumWords,
  worded,
} from './subject-words.ts';
import type { WordedCondition } from './vocabulary.ts';

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

/** Lists of calls do not have what was received: what was issued and is not closed is taken as unpaid, and the answer says so. */
const UNPAID = { status: { in: ['Active', 'Upcoming'] } };
const UNPAID_NOTE = 'A call counts as unpaid until it is closed. Its page shows what was received.';
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

export const LISTS: Readonly<Record<string, SubjectWords>> = {
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
      amount: moneyWords('currency', 'called', 'call amount', 'called amount'),
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
        values: namedValues(...DISTRIBUTION_KINDS),
      },
      principal: moneyWords('currency', 'returned principal', 'return of capital'),
      totalIncome: moneyWords('currency', 'total income', 'interest income'),
      totalCg: moneyWords('currency', 'gains'),
      totalDistributed: moneyWords(
        'currency',
        'total distributed',
        'distributed amount',
        'amount',
        'paid out',
        'total',
      ),
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
      maxCommitment: moneyWords('currency', 'max commitment', 'maximum', 'total commitment'),
      activeCommitment: moneyWords('currency', 'active amount', 'commitment in force'),
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
        values: [...namedValues(...DRAW_STATUSES), { value: 'In Review', words: ['under review', 'being reviewed'] }],
      },
      transaction: { words: ['deal', 'facility'] },
      noteTitle: { words: ['note'] },
      company: { words: ['borrower'] },
      'draws.type': {
        words: ['draw type', 'kind'],
        values: [...namedValues(...DRAW_TYPES), { value: 'Prefunding', words: ['pre-funding'] }],
      },
      dueDate: { when: 'ahead', words: ['due', 'payable'] },
      valueInUsd: {
        money: true,
        onlyCurrency: 'USD',
        words: ['worth', 'value', 'value in usd', 'usd value', 'amount in usd'],
      },
      'amountInMainCurrency.sum': sumWords('amountInMainCurrency', 'main currency amount'),
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
      status: { values: namedValues('Active', 'Removed') },
      transaction: { words: ['deal', 'facility'] },
      company: { words: ['borrower'] },
      cutOffDate: { when: 'behind', words: ['paid', 'received'] },
      'repayments.kind': { words: ['kind', 'type'], values: namedValues(...REPAYMENT_KINDS) },
      valueInUsd: { money: true, onlyCurrency: 'USD', words: ['worth', 'value', 'value in usd', 'usd value'] },
      'repayments.amount.currency': { isNamed: true, words: ['currency', 'paid in'] },
      'amountInMainCurrency.sum': sumWords('amountInMainCurrency', 'main currency amount'),
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
          ...namedValues(...TRANSACTION_TYPES),
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
      'terms.interest.baseRate': { values: namedValues(...BASE_RATES) },
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
        values: [
          ...namedValues(...FUND_TYPES),
          { value: 'ComingleFund', words: ['comingle', 'comingled', 'commingled'] },
        ],
      },
      strategy: { values: namedValues(...FUND_STRATEGIES) },
      targetSize: moneyWords('currency', 'target', 'target amount', 'size'),
      hardCap: moneyWords('currency', 'cap', 'hard-cap'),
      closingDate: { words: ['closed', 'closing', 'closes', 'final closing'] },
    },
  },
};
