import { Migration } from '@mikro-orm/migrations';
import { quoted } from './tenant-table.ts';

export const CASH_MAIL_KINDS = [
  'drawWaits',
  'drawApproved',
  'drawRejected',
  'drawReminder',
  'tapeLate',
  'tapeFailed',
  'correctionProposed',
  'correctionDecided',
  'bankDetailsChanged',
  'callDue',
  'callIssued',
  'distributionIssued',
  'statementPublished',
  'reportPublished',
  'noticeWithdrawn',
  'announcement',
  'importFinished',
  'issueWaits',
  'issueDecided',
  'runWaits',
  'runDecided',
  'invoiceIssued',
  'accountWaits',
  'accountDecided',
  'statementRefused',
];

/** SQL that extends the kinds of messages to these. */
export const mailKinds = (kinds: readonly string[]): string =>
  ['notifications', 'outbox']
    .map(
      (name) => `
alter table ${name} drop constraint ${name}_kind_check, add constraint ${name}_kind_check check (kind in (${quoted(kinds)})) not valid;
alter table ${name} validate constraint ${name}_kind_check;`,
    )
    .join('');

/** Messages about payment runs, invoices, requested bank accounts and refused statement files. */
export class CashMessages extends Migration {
  override up(): void {
    this.addSql(mailKinds(CASH_MAIL_KINDS));
  }
}
