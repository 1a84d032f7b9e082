import { Migration } from '@mikro-orm/migrations';
import { recordAlso } from './tenant-table.ts';

/**
 * What a person is asked before a tape is processed, and what was answered. A tape with an open question is never
 * published. `primary_currency` is the answer for amounts that name no currency; without one, the mapping's applies.
 */
const questions = `
alter table loan_tapes
  add column questions jsonb not null default '[]',
  add column settled_questions jsonb not null default '[]',
  add column primary_currency text check (primary_currency ~ '^[A-Z]{3}$'),
  add constraint loan_tapes_questions check (jsonb_array_length(questions) = 0
    or (generation_id is null and scheduler_status = 'Completed' and process_status = 'Pending'));
${recordAlso('loan_tapes', ['primary_currency', 'questions', 'settled_questions'])}`;

export class TapeQuestions extends Migration {
  override up(): void {
    this.addSql(questions);
  }
}
