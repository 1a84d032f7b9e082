import { Migration } from '@mikro-orm/migrations';
import { quoted } from './tenant-table.ts';

const MAIL_KINDS = [
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
];

/** Messages about payment runs that wait for a release, and about what became of them. */
export class RunMessages extends Migration {
  override up(): void {
    this.addSql(
      ['notifications', 'outbox']
        .map(
          (name) => `
alter table ${name} drop constraint ${name}_kind_check, add constraint ${name}_kind_check check (kind in (${quoted(MAIL_KINDS)})) not valid;
alter table ${name} validate constraint ${name}_kind_check;`,
        )
        .join(''),
    );
  }
}
