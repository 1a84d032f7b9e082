import { firstFew } from '../errors/first-few.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';
import { shortName } from './short-name.ts';

export interface ChangedBanks {
  readonly entityId: string;
  readonly entityName: string;
  /** Whose payments go to the accounts, of those that the reader may see: "Investor Alpine Pension Fund". */
  readonly parties: readonly string[];
  readonly changedBy: string;
}

/** More parties than anyone reads. */
const MAX_PARTIES = 20;

/** To the manager's people. No account is stated, because email is not confidential. */
export const banksChangedMail = ({ entityId, entityName, parties, changedBy }: ChangedBanks): MailContent => ({
  subject: `Bank details of ${shortName(entityName)} were changed`,
  lines: [
    `${changedBy} changed the bank details of ${entityName}.`,
    ...(parties.length > 0 ? ['', firstFew(parties, { most: MAX_PARTIES, separator: '\n' })] : []),
    '',
    'Before you pay, confirm the change with a person you know, on a number that you had before.',
  ],
  page: MAIL_PAGES.entity(entityId),
  pageTitle: 'Open the entity',
});

/** To the people of the investor or company whose accounts they are. */
export const ownBanksChangedMail = (party: string, page: string, pageTitle: string): MailContent => ({
  subject: `Your bank details were changed`,
  lines: [
    `The bank details of ${party} were changed.`,
    '',
    'If you didn’t request this change, call your fund manager immediately on a number you already have.',
  ],
  page,
  pageTitle,
});
