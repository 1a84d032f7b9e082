import { calendarDateSchema, daysBetween, formatCalendarDate } from '../dates/calendar-date.ts';
import { Refusal } from '../errors/refusal.ts';
import { compare, type DecimalText, decimalOf, divide, multiply } from './decimal.ts';
import { isCurrencyCode } from './minor-units.ts';
import { EXCHANGE_RATE_DIGITS, exchangeRateSchema, type PublishedRates } from './rate.schema.ts';
import type { DatedRates } from './rates.ts';

/** What a service returned, as read from its format: units of each currency for one unit of the base. */
export interface RatesAnswer {
  readonly base: string;
  readonly date: string;
  readonly rates: readonly (readonly [currency: string, rate: unknown])[];
}

/** Currencies in one answer. Services list about 170. */
export const MAX_QUOTED = 1000;
const MAX_DAYS_OLD = 14;
/** A rate is compared with the one in force, if that is not older than this. */
const COMPARABLE_DAYS = 92;
/** A rate that grows or falls by more than this factor is taken for an error of the service. */
const MAX_CHANGE = '2';

const refuse = (message: string): never => {
  throw new Refusal('badRequest', message);
};

/**
 * Checks what a service returned, and expresses it in US dollars. One wrong rate refuses the whole answer.
 * @param known.today rates cannot be later than this day
 * @param known.inForce the rates in force, with which those of the service are compared
 * @throws Refusal badRequest, with a message that says what is wrong with the answer
 */
export function readPublishedRates(
  { base, date, rates: quoted }: RatesAnswer,
  { today, inForce }: { today: string; inForce: DatedRates },
): PublishedRates {
  if (!calendarDateSchema.safeParse(date).success) return refuse('The answer has no valid date');
  if (date > today) return refuse(`The rates are of ${formatCalendarDate(date)}, which is in the future`);
  if (daysBetween(date, today) > MAX_DAYS_OLD) {
    return refuse(`The rates are of ${formatCalendarDate(date)}, more than ${MAX_DAYS_OLD} days ago`);
  }
  if (quoted.length > MAX_QUOTED) return refuse(`The answer has more than ${MAX_QUOTED} rates`);
  if (!isCurrencyCode(base)) return refuse(`The answer's base is not a currency of ISO 4217: ${base.slice(0, 20)}`);
  const found = new Map<string, DecimalText>([[base, '1']]);
  for (const [code, value] of quoted) {
    // Services also quote cryptocurrencies.
    if (!isCurrencyCode(code)) continue;
    const rate = rateOf(value);
    if (rate === null) return refuse(`The rate of ${code} is not a number above 0`);
    if (found.has(code) && compare(found.get(code) as DecimalText, rate) !== 0) {
      return refuse(`The answer has two different rates of ${code}`);
    }
    found.set(code, rate);
  }
  const dollar = found.get('USD');
  if (dollar === undefined) return refuse(`The answer has no rate of USD, so its base ${base} cannot be converted`);
  found.delete('USD');
  if (found.size === 0) return refuse('The answer has no rates');
  const rates = Object.fromEntries(
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, rate]) => [code, inDollars(code, rate, dollar)]),
  );
  for (const [code, rate] of Object.entries(rates)) refuseLeap(code, rate, date, inForce);
  return { date, rates };
}

function rateOf(value: unknown): DecimalText | null {
  const parsed = exchangeRateSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

function inDollars(code: string, rate: DecimalText, dollar: DecimalText): DecimalText {
  const converted = rateOf(divide(rate, dollar, EXCHANGE_RATE_DIGITS));
  return converted ?? refuse(`The rate of ${code} cannot be expressed in US dollars`);
}

function refuseLeap(code: string, rate: DecimalText, date: string, { rates, origins }: DatedRates): void {
  const [known, origin] = [rates[code], origins[code]];
  if (known === undefined || !origin || Math.abs(daysBetween(origin.date, date)) > COMPARABLE_DAYS) return;
  const [lower, upper] = [divide(known, MAX_CHANGE, EXCHANGE_RATE_DIGITS), multiply(known, MAX_CHANGE)];
  if (compare(rate, lower) >= 0 && compare(rate, upper) <= 0) return;
  const of = `${decimalOf(known)} on ${formatCalendarDate(origin.date)}`;
  refuse(
    `The rate of ${code} is ${rate}, but was ${of}. If it is right, enter it by hand, and the next refresh will accept it`,
  );
}
