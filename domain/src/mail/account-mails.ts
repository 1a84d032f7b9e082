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
  subject: `${shortName(party)} asks to be paid to another account`,
  lines: [
    `${by} asks that payments to ${party} in ${currency} go to another bank account.`,
    '',
    'Before you accept it, call a person you know, on a number that you had before. Payments go to the earlier account until you accept.',
  ],
  page: MAIL_PAGES.approval('payoutAccount', id),
  pageTitle: 'Open the request',
});

/** To the other people of the party, because somebody may have asked in their name. */
export const ownAccountWaitsMail = (
  { party, currency, by }: MailedAccountRequest,
  page: string,
  pageTitle: string,
): MailContent => ({
  subject: 'Somebody asked to change your bank details',
  lines: [
    `${by} asked that payments to ${party} in ${currency} go to another bank account.`,
    '',
    'If you don’t know about this, call your fund manager immediately on a number you already have.',
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
  subject: `Your request for another bank account was ${reason === null ? 'accepted' : 'declined'}`,
  lines: [
    reason === null
      ? `${by} has accepted your request. Payments to ${party} in ${currency} go to the account that you named.`
      : `${by} has declined your request that payments to ${party} in ${currency} go to another bank account.`,
    ...(reason === null ? [] : ['', `Reason: ${reason}`]),
  ],
  page,
  pageTitle: 'Open your bank accounts',
});
