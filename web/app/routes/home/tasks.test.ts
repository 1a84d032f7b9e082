import { expect, test } from 'vitest';
import { borrowerTasks, managerTasks, type TaskSources } from './tasks.ts';

const draw = {
  id: 'd',
  status: 'In Review',
  company: 'Northwind',
  amounts: [
    { sum: '4500000', currency: 'USD' },
    { sum: '1000', currency: 'EUR' },
  ],
  exceptions: ['Draw in deficit'],
  waitedDays: 2,
};
const tape = {
  companyId: 'c',
  companyName: 'Northwind',
  cutOffDate: '2026-10-31',
  state: 'Late' as const,
  daysLeft: -3,
  isProcessing: false,
};
const errored = {
  id: 't',
  name: 'northwind-2026-09.xlsx',
  schedulerStatus: 'Completed' as const,
  generationId: 'g',
  failure: null,
  counts: { errored: 15 },
};
const NO_DRAFTS = { calls: [], distributions: [], today: '2026-11-02' };
const sources: TaskSources = { draws: [draw], tapes: [tape], errors: [errored], ...NO_DRAFTS };

test('a manager decides draws, asks for late tapes and looks at errored rows', () => {
  expect(managerTasks(sources)).toEqual([
    {
      kind: 'draw',
      isUrgent: false,
      title: 'Draw of 4,500,000.00 USD and 1,000.00 EUR for Northwind',
      text: 'in review: Draw in deficit',
      when: '2 days',
      to: '/monitoring/draws/d',
    },
    {
      kind: 'tape',
      isUrgent: true,
      title: 'Tape of Northwind',
      text: 'for 31 Oct 2026, not delivered',
      when: 'Late by 3 days',
      to: '/monitoring/companies/c',
    },
    {
      kind: 'errors',
      isUrgent: false,
      title: 'northwind-2026-09.xlsx',
      text: '15 errored rows to correct',
      when: '',
      to: '/monitoring/tapes/t?view=errored',
    },
  ]);
});

test('a tape that is due is the borrower’s task alone', () => {
  const due = { ...tape, state: 'Due' as const, daysLeft: 5 };
  expect(managerTasks({ draws: [], tapes: [due], errors: [], ...NO_DRAFTS })).toEqual([]);
  expect(borrowerTasks({ tapes: [due], errors: [] })).toMatchObject([
    {
      title: 'Upload the tape for 31 Oct 2026',
      when: 'Due in 5 days',
      isUrgent: false,
      to: '/monitoring/tapes/new?company=c',
    },
  ]);
});

test('a tape that is upcoming or being processed is nobody’s task', () => {
  for (const one of [
    { ...tape, state: 'Upcoming' as const },
    { ...tape, isProcessing: true },
  ]) {
    expect(managerTasks({ draws: [], tapes: [one], errors: [], ...NO_DRAFTS })).toEqual([]);
    expect(borrowerTasks({ tapes: [one], errors: [] })).toEqual([]);
  }
});

test('a failed tape is urgent and tells its reason', () => {
  const failed = { ...errored, generationId: null, failure: 'The sheet is empty.', counts: null };
  expect(borrowerTasks({ tapes: [], errors: [failed] })).toMatchObject([
    { isUrgent: true, text: 'The sheet is empty.', to: '/monitoring/tapes/t' },
  ]);
});

test('a manager issues drafts, and is told how long the notices have', () => {
  const call = { id: 'b', callNumber: '9', fundTitle: 'Fund II' };
  const drafts = {
    calls: [
      { ...call, dueDate: '2026-11-18' },
      { ...call, id: 'c', dueDate: '2026-11-01' },
    ],
    distributions: [{ ...call, fundTitle: null, cutOffDate: '2026-11-03' }],
  };
  const tasks = managerTasks({ ...sources, draws: [], tapes: [], errors: [], ...drafts });
  expect(tasks.map(({ title, text, when, isUrgent }) => [title, text, when, isUrgent])).toEqual([
    ['Capital call 9, Fund II', 'notices due in 12 business days', '18 Nov 2026', false],
    ['Capital call 9, Fund II', 'draft, its date has passed', '1 Nov 2026', true],
    ['Distribution 9', 'notices due in 1 business day', '3 Nov 2026', false],
  ]);
});
