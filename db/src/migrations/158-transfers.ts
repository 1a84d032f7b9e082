import { Migration } from '@mikro-orm/migrations';
import { asSystem, quoted, references } from './tenant-table.ts';

const documents = `
alter table transfers add column document_id object_id ${references('files')};
create index on transfers (document_id) where document_id is not null;`;

const INCOME = `coalesce(sum((one ->> 'amount')::numeric) filter (where one ->> 'actionType' = 'INTEREST'), 0) as income`;

/**
 * Of a distribution by the waterfall: what each of its lines is, and what of its income does not enter the success fee.
 * Parts that were recorded before have the share of it that they have of all interest; the next recording rounds them together.
 */
const basis = `
alter table transferred_lines add column basis jsonb;
create policy filled on transferred_lines for update using (true);
${asSystem(`
update transferred_lines t set basis = found.basis from (
  select own.transfer_id, own.commitment_id, own.sequence, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('tier', line -> 'tier', 'investment', line -> 'investment',
      'waterfall', case when line #> '{waterfall,outside}' is not null then jsonb_build_object('outside',
        round((line #>> '{waterfall,outside}')::numeric * coalesce(part.income / nullif(whole.income, 0), 0), minor_digits(tr.currency))::text)
      end)) order by index)
    from jsonb_array_elements(d.basis) with ordinality as lines (line, index)) as basis
  from transferred_lines own join transfers tr on tr.id = own.transfer_id join distributions d on d.id = own.document_id
    cross join lateral (select ${INCOME} from jsonb_array_elements(d.components) as one) as whole
    cross join lateral (select ${INCOME} from jsonb_array_elements(own.components) as one) as part
  where own.kind = 'distribution' and d.basis @> '[{"rule": "waterfall"}]') as found
where t.kind = 'distribution' and t.transfer_id = found.transfer_id and t.commitment_id = found.commitment_id and t.sequence = found.sequence;`)}
drop policy filled on transferred_lines;`;

const KINDS = [
  'funds',
  'contributions',
  'distributions',
  'LPs',
  'LPCommitments',
  'navs',
  'users',
  'capitalAccounts',
  'reports',
  'feeTerms',
  'sideLetters',
  'closings',
  'transfers',
];
/** Fee terms, side letters, closings and transfers can be imported. */
const imports = ['imports', 'import_drafts']
  .map(
    (name) => `
alter table ${name} drop constraint ${name}_kind_check, add constraint ${name}_kind_check check (kind in (${quoted(KINDS)}));`,
  )
  .join('');

/** The documents of transfers, imports of more kinds, and what parts of a distribution by the waterfall are. */
export class TransferDocuments extends Migration {
  override up(): void {
    this.addSql([documents, basis, imports].join('\n'));
  }
}
