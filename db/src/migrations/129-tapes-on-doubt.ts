import { Migration } from '@mikro-orm/migrations';
import { keepSilent } from './tenant-table.ts';

keepSilent('loan_tapes', ['on_doubt']);

/**
 * Whether a tape that is implausible once it is processed is published, or waits until a person was asked. Its question
 * is stored when its last step would publish it, so for a moment it is still processed.
 */
const onDoubt = `
set local lock_timeout = '10s';
alter table loan_tapes
  add column on_doubt text not null default 'publish' constraint loan_tapes_on_doubt check (on_doubt in ('publish', 'ask')),
  drop constraint loan_tapes_questions,
  add constraint loan_tapes_questions check (jsonb_array_length(questions) = 0
    or (generation_id is null and ((scheduler_status = 'Completed' and process_status = 'Pending')
      or (process_status = 'Processing' and questions @> '[{"code": "pool"}]'))));
set local lock_timeout = default;`;

/** Lets a tape wait for an answer after it was processed. */
export class TapesOnDoubt extends Migration {
  override up(): void {
    this.addSql(onDoubt);
  }
}
