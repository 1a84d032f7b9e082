import { Migration } from '@mikro-orm/migrations';

/**
 * The stored title of a transfer names no investor: whoever reads one commitment need not see the other. The name is
 * added for readers who can see it.
 */
const titles = `
alter table lp_commitments disable trigger user;
update lp_commitments set deltas = (
  select jsonb_agg(case when delta ->> 'transfer' is not null and delta ->> 'title' ~ '^Transfer (from|to) '
    then delta || jsonb_build_object('title', 'Transfer ' ||
      case when (delta ->> 'amount')::numeric < 0 then 'to' else 'from' end || ' another investor')
    else delta end order by place)
  from jsonb_array_elements(deltas) with ordinality as listed (delta, place))
where jsonb_path_exists(deltas, '$[*].transfer');
alter table lp_commitments enable trigger user;`;

/** Transfers are stored without the names of their investors. */
export class TransfersWithoutNames extends Migration {
  override up(): void {
    this.addSql(titles);
  }
}
