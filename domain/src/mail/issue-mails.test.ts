import { expect, test } from 'vitest';
import { issueDecidedMail, issueWaitsMail, type MailedIssue } from './issue-mails.ts';

const ID = '65f0c2a1b3d4e5f601234567';
const issue: MailedIssue = {
  id: ID,
  resource: 'navs',
  number: null,
  fundId: ID,
  mainFundId: null,
  fundTitle: 'Quay Fund',
  investor: null,
  amount: { sum: '1000', currency: 'USD' },
  date: '31 Dec 2026',
  by: 'Ada Ray',
};

test('who can issue NAVs is told what waits, and who prepared them what was decided', () => {
  expect(issueWaitsMail(issue)).toMatchObject({
    subject: 'Quay Fund: NAVs of 31 Dec 2026 need a second person',
    lines: [
      'Ada Ray prepared the NAVs of 31 Dec 2026 and asks you to check and issue them.',
      '',
      'Fund: Quay Fund',
      'Amount: 1,000.00 USD',
      'Date: 31 Dec 2026',
    ],
    page: `/approvals/navs/${ID}`,
  });
  expect(issueDecidedMail({ ...issue, reason: null })).toMatchObject({
    subject: 'Quay Fund: NAVs of 31 Dec 2026 were issued',
    page: `/funds/${ID}?view=navs`,
  });
  expect(issueDecidedMail({ ...issue, reason: 'One is missing.' }).lines).toContain('Reason: One is missing.');
});

test('a call has its number, a statement of a main fund its page, and a change of terms no date', () => {
  expect(issueWaitsMail({ ...issue, resource: 'contributions', number: '9' }).subject).toBe(
    'Quay Fund: capital call 9 needs a second person',
  );
  const statements = { ...issue, resource: 'capitalAccounts', fundId: null, mainFundId: ID, amount: null };
  expect(issueDecidedMail({ ...statements, reason: null })).toMatchObject({ page: `/main-funds/${ID}` });
  const terms = { ...issue, resource: 'LPCommitments', amount: null, date: '', investor: 'Orchard Trust' };
  expect(issueWaitsMail(terms)).toMatchObject({
    subject: 'Quay Fund: change of investor terms needs a second person',
    lines: [
      'Ada Ray prepared the change of investor terms and asks you to check and confirm it.',
      '',
      'Fund: Quay Fund',
      'Investor: Orchard Trust',
    ],
  });
  expect(issueDecidedMail({ ...terms, reason: null }).lines[0]).toBe(
    'Ada Ray has confirmed the change of investor terms, which you prepared.',
  );
});
