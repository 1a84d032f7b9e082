import { expect, test } from 'vitest';
import {
  amountsText,
  drawApprovedMail,
  drawRejectedMail,
  drawReminderMail,
  drawWaitsMail,
  type MailedDraw,
} from './draw-mails.ts';
import { MAIL_LIMITS } from './mail.ts';

const draw: MailedDraw = {
  id: '65f0c2a1b3d4e5f601234567',
  companyName: 'Northwind',
  transactionTitle: 'Northwind Consumer Loans',
  noteTitle: 'Senior',
  cutOffDate: '2026-10-31',
  dueDate: '2026-11-09',
  amounts: [
    { sum: '4500000', currency: 'USD' },
    { sum: '250000.5', currency: 'USD' },
    { sum: '1000', currency: 'EUR' },
  ],
  exceptions: ['Draw in deficit', 'Draw limits exceeded', 'Draw in deficit'],
};

test('amounts are added by currency, exactly', () => {
  expect(amountsText(draw.amounts)).toBe('4,750,000.50 USD and 1,000.00 EUR');
  expect(amountsText([{ sum: '999', currency: 'USD' }])).toBe('999.00 USD');
  expect(amountsText([])).toBe('no amount');
});

test('an email about a request says what waits, for whom, and what the checks found', () => {
  expect(drawWaitsMail(draw)).toEqual({
    subject: 'Draw request from Northwind for 4,750,000.50 USD and 1,000.00 EUR',
    lines: [
      'Northwind requests a draw. It waits for a decision.',
      '',
      'Borrower: Northwind',
      'Transaction: Northwind Consumer Loans, Senior',
      'Amount: 4,750,000.50 USD and 1,000.00 EUR',
      'Cut-off date: 31 Oct 2026',
      'Requested transfer date: 9 Nov 2026',
      '',
      'The checks found 2 kinds of exceptions:',
      '- Draw in deficit',
      '- Draw limits exceeded',
    ],
    page: '/monitoring/draws/65f0c2a1b3d4e5f601234567',
    pageTitle: 'Open the draw request',
  });
  expect(drawWaitsMail({ ...draw, exceptions: [] }).lines.at(-1)).toBe('The checks found no exceptions.');
});

test('the borrower reads the decision, and the reason of a rejection', () => {
  expect(drawApprovedMail(draw).subject).toBe('Your draw of 4,750,000.50 USD and 1,000.00 EUR was approved');
  const rejected = drawRejectedMail(draw, 'The last tape is late.');
  expect(rejected.subject).toBe('Your draw of 4,750,000.50 USD and 1,000.00 EUR was rejected');
  expect(rejected.lines).toContain('The last tape is late.');
  // What the manager's checks found is for the manager.
  for (const mail of [drawApprovedMail(draw), rejected]) expect(mail.lines.join()).not.toContain('exception');
});

test('a reminder counts the days', () => {
  expect(drawReminderMail(draw, 1).subject).toBe('Reminder: draw request from Northwind has waited 1 day');
  expect(drawReminderMail(draw, 3).subject).toBe('Reminder: draw request from Northwind has waited 3 days');
});

test('a subject stays within its limit', () => {
  const long = { ...draw, companyName: 'N'.repeat(250) };
  for (const { subject } of [drawWaitsMail(long), drawReminderMail(long, 400)])
    expect(subject.length).toBeLessThanOrEqual(MAIL_LIMITS.subject);
});
