import { Migration } from '@mikro-orm/migrations';
import { RATE_SOURCES } from './as-landed.ts';
import { EVERYTHING, oneOf, recordAlso, SYSTEM_ONLY, table } from './tenant-table.ts';

const source = oneOf(RATE_SOURCES, 'bundled').replaceAll('{column}', 'source');

// A table per day and source: neither a refresh nor a manual rate replaces the rates of another source. The currencies
// of a table are stored, so that the rates in force are found without reading every table.
const sources = `
create function currencies_in(rates jsonb) returns text immutable parallel safe language sql
  return (select string_agg(code, ' ' order by code)
    from jsonb_object_keys(case jsonb_typeof(rates) when 'object' then rates else '{}' end) as code);
alter table currency_rates
  drop constraint currency_rates_last_update_key,
  add column source ${source},
  add column reasons jsonb not null default '{}' check (jsonb_typeof(reasons) = 'object'),
  add column currencies text generated always as (currencies_in(rates)) stored,
  add constraint currency_rates_day unique (last_update, source),
  add constraint currency_rates_codes check (coalesce(currencies ~ '^[A-Z]{3}( [A-Z]{3})*$', false) and length(currencies) < 4000),
  add constraint currency_rates_reasons check (source = 'manual' or reasons = '{}');`;

const refreshes = table({
  name: 'rate_refreshes',
  history: { exempt: 'It is a log of the program; the rates have a history.' },
  columns: {
    id: 'object_id primary key',
    at: 'timestamptz not null',
    outcome: oneOf(['updated', 'unchanged', 'failed']),
    rates_on: 'date',
    currency_count: 'integer check ({column} > 0)',
    reason: 'text check (char_length({column}) between 1 and 1000)',
  },
  constraints: ["check ((outcome = 'failed') = (reason is not null) and (outcome = 'failed') = (rates_on is null))"],
  indexes: ['(at desc)'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/** Where rates come from, why a person entered one, and how the refreshes went. */
export class RateSources extends Migration {
  override up(): void {
    this.addSql(sources);
    this.addSql(recordAlso('currency_rates', ['source', 'reasons']));
    this.addSql(refreshes);
  }
}
