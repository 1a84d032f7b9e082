import { type CalendarDate, formatCalendarDate } from '../dates/calendar-date.ts';
import type { DRAW_EXCEPTION_MESSAGES } from '../draws/draw.schema.ts';
import type { Amount } from '../money/amount.schema.ts';
import { round } from '../money/decimal.ts';
import { totalByCurrency } from '../money/totals.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

/** What an email says about a draw request. */
export interface MailedDraw {
  readonly id: string;
  readonly companyName: string;
  readonly transactionTitle: string;
  readonly noteTitle: string;
  readonly cutOffDate: CalendarDate;
  /** The requested day of the transfer. */
  readonly dueDate: CalendarDate;
  /** All types together. */
  readonly amounts: readonly Amount[];
  readonly exceptions: readonly (typeof DRAW_EXCEPTION_MESSAGES)[number][];
}

/** "1,234.50 USD" */
function amountText({ sum, currency }: Amount): string {
  const [whole = '0', fraction = '00'] = round(sum, 2).split('.');
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction} ${currency}`;
}

/** "1,234.50 USD and 10.00 EUR": currencies are never added. */
export const amountsText = (amounts: readonly Amount[]): string =>
  totalByCurrency(amounts).map(amountText).join(' and ') || 'no amount';

/** Subjects have one line and a limit; titles are long at times. */
export const short = (title: string): string => (title.length > 60 ? `${title.slice(0, 57)}...` : title);

function detailsOf(draw: MailedDraw): string[] {
  return [
    `Borrower: ${draw.companyName}`,
    `Transaction: ${draw.transactionTitle}, ${draw.noteTitle}`,
    `Amount: ${amountsText(draw.amounts)}`,
    `Cut-off date: ${formatCalendarDate(draw.cutOffDate)}`,
    `Requested transfer date: ${formatCalendarDate(draw.dueDate)}`,
  ];
}

function findingsOf({ exceptions }: MailedDraw): string[] {
  const found = [...new Set(exceptions)];
  if (found.length === 0) return ['The checks found no exceptions.'];
  return [
    found.length === 1 ? 'The checks found one exception:' : `The checks found ${found.length} kinds of exceptions:`,
    ...found.map((message) => `- ${message}`),
  ];
}

const pageOf = (draw: MailedDraw) => ({ page: MAIL_PAGES.draw(draw.id), pageTitle: 'Open the draw request' });

/** To the manager's people who decide: the request has been checked. */
export const drawWaitsMail = (draw: MailedDraw): MailContent => ({
  subject: `Draw request from ${short(draw.companyName)} for ${amountsText(draw.amounts)}`,
  lines: [
    `${draw.companyName} requests a draw. It waits for a decision.`,
    '',
    ...detailsOf(draw),
    '',
    ...findingsOf(draw),
  ],
  ...pageOf(draw),
});

/** To the borrower. */
export const drawApprovedMail = (draw: MailedDraw): MailContent => ({
  subject: `Your draw of ${amountsText(draw.amounts)} was approved`,
  lines: ['Your draw request was approved.', '', ...detailsOf(draw)],
  ...pageOf(draw),
});

/** To the borrower, with the manager's reason. */
export const drawRejectedMail = (draw: MailedDraw, reason: string): MailContent => ({
  subject: `Your draw of ${amountsText(draw.amounts)} was rejected`,
  lines: ['Your draw request was rejected.', '', 'Reason:', reason, '', ...detailsOf(draw)],
  ...pageOf(draw),
});

/** To the manager's people who decide. @param waitingDays full days since the request */
export const drawReminderMail = (draw: MailedDraw, waitingDays: number): MailContent => {
  const days = waitingDays === 1 ? '1 day' : `${waitingDays} days`;
  return {
    subject: `Reminder: draw request from ${short(draw.companyName)} has waited ${days}`,
    lines: [
      `A draw request from ${draw.companyName} has waited ${days} for a decision.`,
      '',
      ...detailsOf(draw),
      '',
      ...findingsOf(draw),
    ],
    ...pageOf(draw),
  };
};
