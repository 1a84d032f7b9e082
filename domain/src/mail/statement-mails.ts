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
    'A bank statement file was delivered but not imported.',
    '',
    `File: ${refused.name}`,
    `Reason: ${refused.reason}`,
    '',
    'Fix the problem, then deliver the file again or import it under Cash.',
    ...(refused.isLast
      ? ['', 'You won’t be notified about further refused files today. The list shows all of them.']
      : []),
  ],
  page: MAIL_PAGES.deliveredStatements(),
  pageTitle: 'Open the delivered files',
});
