import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';
import { shortName } from './short-name.ts';

/** The request of a party to be paid to another account. No number is stated, because email is not confidential. */
export interface MailedAccountRequest {
  readonly id: string;
  readonly party: string;
  readonly currency: string;
  readonly by: string;
}

/** To those who can decide it. */
export const accountWaitsMail = ({ id, party, currency, by }: MailedAccountRequest): MailContent => ({
  subject: `${shortName(party)} requested a different bank account`,
  lines: [
    `${by} requested that ${currency} payments to ${party} go to a different bank account.`,
    '',
    'Before you accept, call someone you know there, on a number you already have. Payments keep going to the current account until you accept.',
  ],
  page: MAIL_PAGES.approval('payoutAccount', id),
  pageTitle: 'Open the request',
});

/** To everyone at the party, in case someone made the request in their name. */
export const ownAccountWaitsMail = (
  { party, currency, by }: MailedAccountRequest,
  page: string,
  pageTitle: string,
): MailContent => ({
  subject: 'A change to your bank details was requested',
  lines: [
    `${by} requested that ${currency} payments to ${party} go to a different bank account.`,
    '',
    'If you didn’t expect this, call your fund manager immediately on a number you already have.',
  ],
  page,
  pageTitle,
});

/** To who asked. @param decided.reason why it was declined; null if it was accepted */
export const accountDecidedMail = (
  { party, currency }: MailedAccountRequest,
  { by, reason }: { readonly by: string; readonly reason: string | null },
  page: string,
): MailContent => ({
  subject: `Your request for a different bank account was ${reason === null ? 'accepted' : 'declined'}`,
  lines: [
    reason === null
      ? `${by} accepted your request. ${currency} payments to ${party} now go to the account you requested.`
      : `${by} declined your request. ${currency} payments to ${party} keep going to the current account.`,
    ...(reason === null ? [] : ['', `Reason: ${reason}`]),
  ],
  page,
  pageTitle: 'Open your bank accounts',
});
