import { Migration } from '@mikro-orm/migrations';

/** Offsets of a contract: at most 20, of a known kind, with an order of dates, and one of negative balances. */
const offsets = `
create function contract_offsets_hold(body jsonb) returns boolean immutable parallel safe language sql
  return not body ? 'offsets' or (
    list_within(body -> 'offsets', 20)
    and not jsonb_path_exists(body, '$.offsets[*] ? (!(@.kind == "field" || @.kind == "negatives"))')
    and not jsonb_path_exists(body, '$.offsets[*] ? (!exists(@.groupBy) || @.kind == "field" && !exists(@.field))')
    and not jsonb_path_exists(body, '$.offsets[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)')
    and jsonb_array_length(jsonb_path_query_array(body, '$.offsets[*] ? (@.kind == "negatives")')) <= 1);
alter table contracts add constraint contracts_offsets check (contract_offsets_hold(body));`;

/** Amounts that a contract takes off the eligible amounts of groups. */
export class Offsets extends Migration {
  override up(): void {
    this.addSql(offsets);
  }
}
