import { type ImportKind, KIND_TITLES } from '../importer/kinds.ts';
import type { MailContent } from './mail.ts';
import { MAIL_PAGES } from './pages.ts';

interface MailedImport {
  readonly id: string;
  readonly kind: ImportKind;
  readonly fileName: string;
}

const counted = (count: number, { noun, nouns }: { noun: string; nouns: string }): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : nouns}`;

/** To the person who imported. */
export const importDoneMail = ({ id, kind, fileName, count }: MailedImport & { count: number }): MailContent => ({
  subject: `${counted(count, KIND_TITLES[kind])} imported`,
  lines: [`All rows of ${fileName} were imported.`],
  page: MAIL_PAGES.importRecord(id),
  pageTitle: 'Open the import',
});

/** To the person who imported. */
export const importFailedMail = ({ id, kind, fileName, failure }: MailedImport & { failure: string }): MailContent => ({
  subject: `The import of ${KIND_TITLES[kind].nouns} failed`,
  lines: [`The import of ${fileName} failed.`, '', failure],
  page: MAIL_PAGES.importRecord(id),
  pageTitle: 'Open the import',
});
