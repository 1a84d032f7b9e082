import { Migration } from '@mikro-orm/migrations';

/** Offsets of a contract: a third kind, with a part of the name of a file and the headers of two of its columns. */
const offsets = `
create or replace function contract_offsets_hold(body jsonb) returns boolean immutable parallel safe language sql
  return not body ? 'offsets' or (
    list_within(body -> 'offsets', 20)
    and not jsonb_path_exists(body, '$.offsets[*] ? (!(@.kind == "field" || @.kind == "file" || @.kind == "negatives"))')
    and not jsonb_path_exists(body, '$.offsets[*] ? (!exists(@.groupBy) || @.kind == "field" && !exists(@.field))')
    and jsonb_array_length(jsonb_path_query_array(body, '$.offsets[*] ? (@.kind == "file")'))
      = jsonb_array_length(jsonb_path_query_array(body, '$.offsets[*] ? (@.kind == "file"
        && @.file like_regex "^.{2,80}$" flag "s"
        && @.groupColumn like_regex "^.{1,200}$" flag "s"
        && @.amountColumn like_regex "^.{1,200}$" flag "s"
        && @.groupColumn != @.amountColumn)'))
    and not jsonb_path_exists(body, '$.offsets[*] ? (@.startDate.type() == "string" && @.startDate >= @.expirationDate)')
    and jsonb_array_length(jsonb_path_query_array(body, '$.offsets[*] ? (@.kind == "negatives")')) <= 1);`;

/** Amounts of offsets in a file of the tape. */
export class OffsetFiles extends Migration {
  override up(): void {
    this.addSql(offsets);
  }
}
