import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, SIGNED_IN, table } from './tenant-table.ts';

const rates = table({
  name: 'currency_rates',
  history: { resource: 'currencies' },
  columns: {
    id: 'object_id primary key',
    base: "text not null default 'USD' check ({column} = 'USD')",
    rates: "jsonb not null check (jsonb_typeof({column}) = 'object' and rates_hold({column}))",
    last_update: 'date not null unique',
  },
  read: `${EVERYTHING} or ${SIGNED_IN}`,
  write: EVERYTHING,
});

/** Rates of currencies, one table per day. */
export class Currencies extends Migration {
  override up(): void {
    this.addSql(rates);
  }
}
