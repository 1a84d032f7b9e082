import { Migration } from '@mikro-orm/migrations';
import { currency, OF_MANAGER, object, recordAlso, references, table, text } from './tenant-table.ts';

const DAY_COUNTS = ['ACT/360', 'ACT/365F', 'ACT/ACT ISDA', '30/360 US', '30E/360'];
const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

const terms = `
create function equalization_holds(terms jsonb) returns boolean immutable parallel safe language sql
  return terms is null or coalesce(jsonb_typeof(terms) = 'object'
    and (terms ->> 'ratePercent')::numeric between 0 and 100
    and terms ->> 'dayCount' in (${listed(DAY_COUNTS)})
    and terms ->> 'compounding' in ('simple', 'yearly')
    and terms ->> 'feeInterestTo' in ('manager', 'investors')
    and jsonb_typeof(terms -> 'feesFromFirstClosing') = 'boolean'
    and jsonb_typeof(terms -> 'recallable') = 'boolean', false);
alter table funds add column equalization jsonb constraint funds_equalization check (equalization_holds(equalization));
${recordAlso('funds', ['equalization'])}`;

/** A purpose of a closing has interest on top of its amount. */
const interest = `
create function purpose_interest_holds(purposes jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and((line ->> 'interest')::numeric >= 0), true) from jsonb_array_elements(purposes) as line);
alter table contributions add constraint contributions_interest check (purpose_interest_holds(purposes));`;

const closings = table({
  name: 'closings',
  history: { exempt: 'its commitments, call and distribution record every change' },
  columns: {
    id: 'object_id primary key',
    manager_id: `object_id not null ${references('managers')}`,
    fund_id: 'object_id not null',
    currency,
    title: text({ minLength: 2, maxLength: 150 }),
    closing_date: 'date not null',
    due_date: 'date not null',
    first_closing: 'date',
    call_id: `object_id ${references('capital_calls')}`,
    distribution_id: `object_id ${references('distribution_events')}`,
    // Of every investor whom its figures are about.
    commitment_ids: 'text[] not null',
    terms: object,
    // What everyone paid, pays and receives.
    figures: object,
    created: object,
  },
  constraints: [
    `foreign key (fund_id, manager_id) ${references('funds', 'id, manager_id')}`,
    'constraint closings_due_date check (due_date >= closing_date)',
    'constraint closings_title_name check (is_name(title))',
    'constraint closings_terms check (equalization_holds(terms))',
  ],
  indexes: ['(manager_id)', '(fund_id, closing_date)', 'unique (call_id)', 'unique (distribution_id)'],
  // Its figures are about all investors: who cannot see one of them does not see them.
  read: `(${OF_MANAGER}) and not exists (select from unnest(commitment_ids) as own (id)
    where not exists (select from lp_commitments c where c.id = own.id))`,
  write: { insert: OF_MANAGER, update: 'false', delete: 'false' },
});

/** Later closings with equalization. */
export class Closings extends Migration {
  override up(): void {
    this.addSql([terms, interest, closings].join('\n'));
  }
}
