import { Migration } from '@mikro-orm/migrations';
import { CURRENCIES_BY_DIGITS, MONEY_LIMIT } from './as-landed.ts';

/** What money is in the database: below the limit, and in whole minor units of its currency. */
const functions = `
create function minor_digits(currency text) returns integer immutable parallel safe language sql
  return case ${CURRENCIES_BY_DIGITS.map(
    ([digits, own]) => `when currency in (${own.map((code) => `'${code}'`).join(', ')}) then ${digits}`,
  ).join(' ')} else 2 end;
create function money_fits(sum numeric, currency text) returns boolean immutable parallel safe language sql
  return sum is null or (abs(sum) < ${MONEY_LIMIT} and sum = round(sum, minor_digits(currency)));
create function lines_fit(lines jsonb, currency text) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(money_fits((line ->> 'amount')::numeric, currency)), true) from jsonb_array_elements(lines) as line);
end $$;
create function amounts_fit(amounts jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return (select coalesce(bool_and(money_fits((amount ->> 'sum')::numeric, amount ->> 'currency')), true) from jsonb_array_elements(amounts) as amount);
end $$;
-- A maturity is after the signing, and rates of interest are within 1,000 per cent.
create function terms_fit(notes jsonb) returns boolean immutable parallel safe language plpgsql as $$ begin
  return not jsonb_path_exists(notes, '$[*].**.timeline ? (@.maturity <= @.contractSigning)')
    and not jsonb_path_exists(notes, '$[*].**.interest ? (@.value > 1000 || @.minimumInterest > 1000 || @.spread > 1000 || @.spread < -1000)')
    and amounts_fit(jsonb_path_query_array(notes, '$[*].**.commitments[*].amount'));
end $$;
create function refuse_money() returns trigger language plpgsql as $$ begin
  raise exception 'an amount, a rate or a date is out of bounds' using errcode = 'check_violation', constraint = tg_argv[0];
end $$;`;

const BUSINESS = ['cut_off_date', 'due_date', 'closing_date'] as const;
/** Conditions of each table. */
const RULES: Readonly<
  Record<string, { readonly money: readonly string[]; readonly days: readonly (typeof BUSINESS)[number][] }>
> = {
  funds: { money: ['money_fits(target_size, currency)', 'money_fits(hard_cap, currency)'], days: ['closing_date'] },
  main_funds: {
    money: ['money_fits(target_size, currency)', 'money_fits(hard_cap, currency)'],
    days: ['closing_date'],
  },
  lp_commitments: {
    money: [
      'money_fits(max_commitment, currency)',
      'money_fits(active_commitment, currency)',
      'lines_fit(deltas, currency)',
    ],
    days: ['closing_date'],
  },
  contributions: { money: ['lines_fit(purposes, currency)'], days: ['cut_off_date', 'due_date'] },
  distributions: {
    money: ['money_fits(principal, currency)', 'lines_fit(components, currency)', 'lines_fit(purposes, currency)'],
    days: ['cut_off_date'],
  },
  navs: { money: ['money_fits(gross, currency)', 'money_fits(net, currency)'], days: ['cut_off_date'] },
  write_offs: { money: ['money_fits(amount, currency)'], days: ['cut_off_date'] },
  draws: {
    money: [`amounts_fit(jsonb_path_query_array(draws, '$[*].amounts[*]'))`],
    days: ['cut_off_date', 'due_date'],
  },
  repayments: { money: [`amounts_fit(jsonb_path_query_array(repayments, '$[*].amount'))`], days: ['cut_off_date'] },
  transactions: { money: ['terms_fit(notes)'], days: [] },
};

const COLUMNS = [
  ...['currency', 'target_size', 'hard_cap', 'max_commitment', 'active_commitment', 'deltas', 'purposes', 'principal'],
  ...['components', 'gross', 'net', 'amount', 'draws', 'repayments', 'notes', ...BUSINESS],
];
/** A column's name in a condition, not a field of a document in a JSON path. */
const columnName = new RegExp(String.raw`(?<![.'\w])(?:${COLUMNS.join('|')})\b`, 'g');

/**
 * Triggers instead of checks: they look at a row only if its money or dates are written, so a row from before can still
 * be closed, rejected or given a file.
 */
const triggers = Object.entries(RULES).map(([table, { money, days }]) => {
  const isBusiness = days.map((day) => `(${day} is null or ${day} between '1950-01-01' and '2150-12-31')`);
  const condition = [...money, ...isBusiness].join(' and ');
  const columns = new Set(condition.match(columnName));
  return `create trigger ${table}_money before insert or update of ${[...columns].join(', ')} on ${table} for each row
    when (new.status <> 'Removed' and not (${condition.replaceAll(columnName, 'new.$&')}))
    execute function refuse_money('${table}_money');`;
});

/** Amounts have the decimals of their currency and a bound, dates of business lie between 1950 and 2150. */
export class MoneyBounds extends Migration {
  override up(): void {
    this.addSql([functions, ...triggers].join('\n'));
  }
}
