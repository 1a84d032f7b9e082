import { Migration } from '@mikro-orm/migrations';
import { currency, list, tenantTable, text } from './tenant-table.ts';

const mappings = tenantTable({
  name: 'mappings',
  tenant: 'company',
  history: { resource: 'assetsETLs', canBeBlocked: true },
  columns: {
    family_id: 'object_id not null',
    mapping_version: 'integer not null check ({column} >= 1)',
    primary_currency: currency,
    cut_off_date: 'date',
    loan_tape_sheet_name: text({ minLength: 2, maxLength: 255 }),
    extracted_origin_cols_from_loan_tape: "text[] not null default '{}' check (cardinality({column}) <= 16384)",
    rules: list(300, 1),
  },
  constraints: [
    'unique (family_id, mapping_version)',
    `constraint mappings_target_names check (
      not jsonb_path_exists(rules, '$[*].targetCol ? (@ like_regex "^((targetData\\\\.)?customFields\\\\.)?(__proto__|constructor|prototype)$")'))`,
  ],
});

/** Mappings of loan tapes (collection assetsETLs), one row per version. */
export class Mappings extends Migration {
  override up(): void {
    this.addSql(mappings);
  }
}
