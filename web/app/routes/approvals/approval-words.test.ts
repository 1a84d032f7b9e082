import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import { expect, test } from 'vitest';
import { blockerOf, decidedText, dueText, requestParty, requestTitle, severalOf } from './approval-words.ts';

const call: Approval = {
  kind: 'call',
  id: 'c',
  number: '9',
  parentId: null,
  party: 'Harbour Credit Fund II',
  detail: null,
  amounts: [{ sum: '6770897.63', currency: 'USD' }],
  count: 12,
  by: 'Lena Fischer',
  since: '2026-11-04T16:20:00Z',
  due: '2026-11-18',
  exceptions: [],
  isProcessing: false,
  status: 'Draft',
  decidedAt: null,
  decidedBy: null,
  secondPerson: null,
};
const TODAY = '2026-11-05';

test('a request says what is asked, and of whom', () => {
  expect([requestTitle(call), requestParty(call)]).toEqual([
    'Issue capital call 9',
    'Harbour Credit Fund II, 12 investors',
  ]);
  expect(requestTitle({ kind: 'correction', number: '3', count: 1, status: 'Proposed', secondPerson: null })).toBe(
    'Accept 1 corrected row',
  );
  expect(requestTitle({ kind: 'contract', number: '2', count: null, status: 'Draft', secondPerson: null })).toBe(
    'Activate contract v2',
  );
  const account = { kind: 'payoutAccount', number: 'USD', count: null, secondPerson: null } as const;
  expect(requestTitle({ ...account, status: 'Confirmed' })).toBe('Confirm the USD account');
  expect(requestTitle({ ...account, status: 'Requested' })).toBe('Change the USD account');
});

test('what has no number is named by its day, and several of a kind by a plural', () => {
  const navs = { ...call, kind: 'navs', number: '2026-09-30', status: 'Active' } as const;
  expect(requestTitle(navs)).toBe('Issue NAVs of 30 Sep 2026');
  expect(requestTitle({ ...navs, kind: 'fundTerms' })).toBe('Confirm fund terms');
  expect(decidedText(navs)).toContain('NAVs of 30 Sep 2026 were issued');
  expect(decidedText({ ...navs, kind: 'fundTerms', number: '' })).toContain('Fund terms were confirmed');
  expect((['draw', 'navs', 'statements', 'investorTerms'] as const).map(severalOf)).toEqual([
    'Draws',
    'NAVs',
    'Statements',
    'Investor terms',
  ]);
});

test('what blocks it: exceptions, a tape in progress, a date that has passed', () => {
  expect(blockerOf(call, TODAY)).toEqual({ tone: 'good', text: 'Ready', note: null });
  expect(blockerOf(call, '2026-11-18')).toMatchObject({ tone: 'good' });
  expect(blockerOf(call, '2026-11-19')).toMatchObject({ tone: 'warning', note: 'its date has passed' });
  expect(blockerOf({ ...call, kind: 'correction', isProcessing: true }, TODAY)).toMatchObject({
    text: 'Tape in progress',
  });
  expect(blockerOf({ ...call, kind: 'draw', exceptions: ['Draw in deficit', 'Draw limits exceeded'] }, TODAY)).toEqual({
    tone: 'warning',
    text: '2 exceptions',
    note: 'Draw in deficit and 1 more',
  });
});

test('a due date is in words when it is near or past', () => {
  expect(
    ['2026-11-02', TODAY, '2026-11-06', '2026-11-07', '2027-11-07'].map((due) => dueText(due, TODAY).text),
  ).toEqual(['3 days late', 'Today', 'Tomorrow', '7 Nov', '7 Nov 2027']);
});

test('a decision is told with its amount', () => {
  expect(decidedText({ ...call, status: 'Active' })).toBe(
    'Capital call 9 was issued: 6,770,897.63 USD, Harbour Credit Fund II, 12 investors.',
  );
  expect(decidedText({ ...call, kind: 'draw', number: '5', party: 'Castelo', count: null, status: 'Rejected' })).toBe(
    'Draw 5 was rejected: 6,770,897.63 USD, Castelo.',
  );
});
