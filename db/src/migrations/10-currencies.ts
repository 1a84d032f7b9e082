import { Migration } from '@mikro-orm/migrations';
import { CURRENCIES_BY_DIGITS, MONEY_LIMIT, RATE_SOURCES } from './as-landed.ts';
import { EVERYTHING, oneOf, quoted, SIGNED_IN, SYSTEM_ONLY, table } from './tenant-table.ts';

/** What money is in the database: below the limit, and in whole minor units of its currency. */
const money = `
create function minor_digits(currency text) returns integer immutable parallel safe language sql
  return case ${CURRENCIES_BY_DIGITS.map(
    ([digits, codes]) => `when currency in (${quoted(codes)}) then ${digits}`,
  ).join(' ')} else 2 end;
create function money_fits(sum numeric, currency text) returns boolean immutable parallel safe language sql
  return sum is null or (abs(sum) < ${MONEY_LIMIT} and sum = round(sum, minor_digits(currency)));
create function lines_fit(lines jsonb, currency text) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(money_fits((line ->> 'amount')::numeric, currency)), true) from jsonb_array_elements(lines) as line);
end $$;
create function amounts_fit(amounts jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(money_fits((amount ->> 'sum')::numeric, amount ->> 'currency')), true) from jsonb_array_elements(amounts) as amount);
end $$;
create function refuse_money() returns trigger language plpgsql as $$ begin
  raise exception 'an amount, a rate or a date is out of bounds' using errcode = 'check_violation', constraint = tg_argv[0];
end $$;`;

const BUSINESS = ['cut_off_date', 'due_date', 'closing_date'] as const;

const COLUMNS = [
  ...['currency', 'target_size', 'hard_cap', 'max_commitment', 'active_commitment', 'deltas', 'purposes', 'principal'],
  ...['components', 'gross', 'net', 'amount', 'draws', 'repayments', 'notes', ...BUSINESS],
];
/** A column's name in a condition, not a field of a document in a JSON path. */
const columnName = new RegExp(String.raw`(?<![.'\w])(?:${COLUMNS.join('|')})\b`, 'g');

interface Bounds {
  /** Conditions of amounts. */
  readonly money: readonly string[];
  readonly days?: readonly (typeof BUSINESS)[number][];
}

/**
 * SQL of a trigger: amounts have the decimals of their currency and a bound, dates of business lie between 1950 and 2150.
 * A trigger instead of checks looks at a row only if its money or dates are written, so a row from before these rules can
 * still be closed, rejected or given a file.
 */
export function boundMoney(table: string, { money: amounts, days = [] }: Bounds): string {
  const isBusiness = days.map((day) => `(${day} is null or ${day} between '1950-01-01' and '2150-12-31')`);
  const condition = [...amounts, ...isBusiness].join(' and ');
  const columns = new Set(condition.match(columnName));
  return `
create trigger ${table}_money before insert or update of ${[...columns].join(', ')} on ${table} for each row
  when (new.status <> 'Removed' and not (${condition.replaceAll(columnName, 'new.$&')}))
  execute function refuse_money('${table}_money');`;
}

// The currencies of a table are stored, so that the rates in force are found without reading every table.
const functions = `
create function rates_hold(rates jsonb) returns boolean immutable parallel safe language sql
  return not jsonb_path_exists(rates, '$.* ? (!(@.double() > 0))')
    and not jsonb_path_exists(rates, '$.* ? (@.type() != "string" && @.type() != "number")');
create function currencies_in(rates jsonb) returns text immutable parallel safe language sql
  return (select string_agg(code, ' ' order by code)
    from jsonb_object_keys(case jsonb_typeof(rates) when 'object' then rates else '{}' end) as code);`;

const rates = table({
  name: 'currency_rates',
  history: { resource: 'currencies', asJsonb: true },
  columns: {
    id: 'object_id primary key',
    base: "text not null default 'USD' check ({column} = 'USD')",
    rates: "jsonb not null check (jsonb_typeof({column}) = 'object' and rates_hold({column}))",
    last_update: 'date not null',
    source: oneOf(RATE_SOURCES, 'bundled'),
    // Why a person entered a rate, by currency.
    reasons: "jsonb not null default '{}' check (jsonb_typeof({column}) = 'object')",
    currencies: 'text generated always as (currencies_in(rates)) stored',
  },
  constraints: [
    // Neither a refresh nor a manual rate replaces the rates of another source.
    'constraint currency_rates_day unique (last_update, source)',
    `constraint currency_rates_codes check (coalesce(currencies ~ '^[A-Z]{3}( [A-Z]{3})*$', false) and length(currencies) < 4000)`,
    `constraint currency_rates_reasons check (source = 'manual' or reasons = '{}')`,
  ],
  read: `${EVERYTHING} or ${SIGNED_IN}`,
  write: EVERYTHING,
});

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

/** What money is, the rates of currencies, one table per day and source, and how their refreshes went. */
export class Currencies extends Migration {
  override up(): void {
    this.addSql([money, functions, rates, refreshes].join('\n'));
  }
}
