import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

/** To those who can import statements. @param refused.isLast whether nobody is told of further files of the day */
export const statementRefusedMail = (refused: {
  readonly name: string;
  readonly reason: string;
  readonly isLast: boolean;
}): MailContent => ({
  subject: `The statement file ${refused.name} was refused`,
  lines: [
    'A file of bank statements was delivered, and nothing of it was imported.',
    '',
    `File: ${refused.name}`,
    `Reason: ${refused.reason}`,
    '',
    'Correct what is wrong, and deliver the file again or import it under Cash.',
    ...(refused.isLast ? ['', 'You are not told of further refused files today. All of them are in the list.'] : []),
  ],
  page: MAIL_PAGES.deliveredStatements(),
  pageTitle: 'Open the delivered files',
});
