import { Migration } from '@mikro-orm/migrations';

/** Whether a borrowing base of the tape is waiting or being calculated. */
export const IS_CALCULATING = `borrowing_base_statuses @? '$[*] ? ((@.status == "Pending" || @.status == "Processing") && @.failure == null)'`;

/** Tapes that a workflow should be working at. They are looked for twice a minute. */
export class TapesInProgress extends Migration {
  override up(): void {
    this.addSql(`create index loan_tapes_in_progress on loan_tapes (id)
      where status = 'Active' and (scheduler_status = 'Processing' or ${IS_CALCULATING});`);
  }
}
