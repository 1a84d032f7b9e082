import { Migration } from '@mikro-orm/migrations';
import { BASE_RATES, BASE_RATES_LIST, LEAST_FIXING_RATE, LIST_NAME, MAX_FIXING_RATE, MAX_VALUES } from './as-landed.ts';
import { list, named, OF_MANAGER, quoted, tenantTable, text } from './tenant-table.ts';

const IS_BASE_RATES = `lower(name) = lower('${BASE_RATES_LIST}')`;

/** The bounds of a base rate are those of the form. */
const checks = `
create function list_values_hold(name text, list jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(
        coalesce(text_within(value ->> 'title', 1, 150) and jsonb_typeof(value -> 'isRetired') = 'boolean', false)
        and case when ${IS_BASE_RATES}
          then coalesce(value ->> 'title' in (${quoted(BASE_RATES)}) and value -> 'isRetired' = 'false'
            and (value ->> 'date') ~ '^\\d{4}-\\d{2}-\\d{2}$'
            and (value ->> 'rate')::numeric between ${LEAST_FIXING_RATE} and ${MAX_FIXING_RATE}, false)
          else value ->> 'date' is null and value ->> 'rate' is null end), true)
      and count(distinct (lower(value ->> 'title'), value ->> 'date')) = count(*)
    from jsonb_array_elements(list) as value);`;

const optionLists = tenantTable({
  name: 'option_lists',
  tenant: 'manager',
  history: { resource: 'tables' },
  columns: { name: text(LIST_NAME), values: list(MAX_VALUES) },
  constraints: [
    'constraint option_lists_values check (list_values_hold(name, values))',
    ...named('option_lists', 'name'),
  ],
  indexes: [`unique (manager_id, lower(name)) where status <> 'Removed'`],
  // A borrower can see how the interest of its notes is calculated.
  read: `${OF_MANAGER} or ((select actor_type()) = 'company' and manager_id = (select actor_tenant()) and ${IS_BASE_RATES})`,
});

/** A manager's lists of options, and the fixings of base rates. */
export class OptionLists extends Migration {
  override up(): void {
    this.addSql([checks, optionLists].join('\n'));
  }
}
