import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type DatedRates, RATE_SOURCES, type RateOrigin, type RateSource } from '@tapeline/domain/money/rates.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';

type Reader = Pick<ReadSession, 'query' | 'now'>;

/** Which source counts for the same day: manual rates first. */
const PRECEDENCE = `array_position('{${RATE_SOURCES.join(',')}}', source)`;

/**
 * The rate of each currency on each of the days $1, of all currencies or of those in $2: the latest at or before the
 * day, or the earliest one if all are later. Tables with the same currencies and source replace one another, so only the
 * last one of each kind is opened.
 */
const IN_FORCE = `
  select wanted.day::text as "on", in_force.* from unnest($1::date[]) as wanted (day) cross join lateral (
    select distinct on (code) code, rate, last_update::text as date, source
    from (
      select source, max(last_update) as last_update, false as is_later from currency_rates where last_update <= wanted.day
        group by source, currencies
      union all
      select source, min(last_update), true from currency_rates where last_update > wanted.day group by source, currencies
    ) as latest
    join currency_rates using (source, last_update), jsonb_each_text(rates) as quoted (code, rate)
    where $2::text[] is null or code = any ($2)
    order by code, is_later, case when is_later then last_update end, last_update desc, ${PRECEDENCE}
  ) as in_force`;

type RateInForce = RateOrigin & { on: string; code: string; rate: DecimalText };

function datedRates(on: string, found: readonly RateInForce[]): DatedRates {
  const dates = found.map(({ date }) => date).sort();
  return {
    base: 'USD',
    rates: Object.fromEntries(found.map(({ code, rate }) => [code, rate])),
    lastUpdate: dates.findLast((date) => date <= on) ?? dates[0] ?? on,
    origins: Object.fromEntries(found.map(({ code, date, source }) => [code, { date, source }])),
  };
}

/** The rates in force on a day (today by default), with the date and source of each. */
export async function currencyRates(session: Reader, command: { on?: string } = {}): Promise<DatedRates> {
  const on = command.on ?? todayOf(session);
  return datedRates(on, await session.query<RateInForce>(IN_FORCE, [[on], null]));
}

/** The rates of some currencies that are in force on each of several days, by day. */
export async function ratesByDay(
  session: Reader,
  { days, currencies }: { days: readonly string[]; currencies: readonly string[] },
): Promise<Map<string, DatedRates>> {
  if (days.length === 0) return new Map();
  const found = await session.query<RateInForce>(IN_FORCE, [[...days], [...currencies]]);
  const byDay = Map.groupBy(found, ({ on }) => on);
  return new Map(days.map((day) => [day, datedRates(day, byDay.get(day) ?? [])]));
}

/**
 * The rates that a draw or repayment of a day is valued at: those of its cut-off date, or of today if that is earlier.
 * Rates of later days never change the value.
 */
export function ratesOfDay(session: Reader, cutOffDate: string): Promise<DatedRates> {
  const today = todayOf(session);
  return currencyRates(session, { on: cutOffDate < today ? cutOffDate : today });
}

/** One rate of a currency, as it was published or entered. */
export interface RecordedRate {
  /** Of the table that holds it. */
  readonly id: string;
  readonly date: string;
  readonly rate: DecimalText;
  readonly source: RateSource;
  /** Why a person entered it. */
  readonly reason: string | null;
  /** False if another source takes precedence for the day. */
  readonly isInForce: boolean;
}

const OF_CURRENCY = `
  select id, last_update::text as date, rates ->> $1 as rate, source, reasons ->> $1 as reason,
    row_number() over (partition by last_update order by ${PRECEDENCE}) = 1 as "isInForce"
  from currency_rates where rates ? $1`;

/** The recorded rates of a currency, the latest first, and how many there are. */
export async function listRates(
  { query }: Reader,
  { currency, skip, limit }: { currency: string; skip: number; limit: number },
): Promise<{ rates: RecordedRate[]; total: number }> {
  const [counted] = await query<{ total: number }>(
    'select count(*)::int as total from currency_rates where rates ? $1',
    [currency],
  );
  const rates = await query<RecordedRate>(
    `${OF_CURRENCY} order by last_update desc, ${PRECEDENCE} offset $2 limit $3`,
    [currency, skip, limit],
  );
  return { rates, total: counted?.total ?? 0 };
}

/** The rates of a currency that are in force between two days, one a day, the earliest first. */
export async function courseOf(
  { query }: Reader,
  { currency, from, to }: { currency: string; from: string; to: string },
): Promise<{ date: string; rate: DecimalText }[]> {
  return query(
    `select date, rate from (${OF_CURRENCY} and last_update between $2 and $3) as recorded
     where "isInForce" order by date`,
    [currency, from, to],
  );
}
