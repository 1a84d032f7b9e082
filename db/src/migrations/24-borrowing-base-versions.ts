import { Migration } from '@mikro-orm/migrations';
import { recordAlso } from './tenant-table.ts';

/**
 * A recalculation keeps the earlier result as a superseded (Disabled) borrowing base. One per tape and contract is
 * Active.
 */
export class BorrowingBaseVersions extends Migration {
  override up(): void {
    this.addSql(`
alter table borrowing_bases drop constraint borrowing_bases_tape_id_contract_id_key;
create unique index borrowing_bases_latest on borrowing_bases (tape_id, contract_id) where status = 'Active';
create index borrowing_bases_versions on borrowing_bases (tape_id, contract_id, code);
alter table borrowing_bases add column superseded_by object_id;
alter table borrowing_bases add constraint borrowing_bases_superseded check ((status = 'Disabled') = (superseded_by is not null) or status = 'Removed');${recordAlso('borrowing_bases', ['superseded_by'])}`);
  }
}
