import { readFileSync } from 'node:fs';
import { addDays, calendarDateOf } from '@tapeline/domain/dates/calendar-date.ts';

/** The content of a file of the data. @param name without the folder and the ending */
export const readData = <Data>(name: string): Data =>
  JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), 'utf8')) as Data;

/** Ids of documents, and other texts, by what the data calls them. */
export type Names = Readonly<Record<string, string>>;

const NAME = /^\{([^{}"]+)\}$/;
const DAYS_AGO = /^(-?\d+) days ago$/;
const MONTHS_AGO = /^(-?\d+) months ago, day (\d+)$/;

function meaning(name: string, names: Names, now: Date): string {
  const days = DAYS_AGO.exec(name);
  if (days) return addDays(calendarDateOf(now), -Number(days[1]));
  const months = MONTHS_AGO.exec(name);
  if (months) {
    const date = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - Number(months[1]), Number(months[2]));
    return calendarDateOf(new Date(date));
  }
  const known = names[name];
  if (known === undefined) throw new Error(`The demonstration has no ${name}`);
  return known;
}

/**
 * The data with what its names in braces stand for: `"{company}"` for an id, `"{70 days ago}"` and `"{-2 months ago, day 15}"`
 * for dates before (or, negative, after) the seeding.
 */
export function fillIn<Data>(data: Data, names: Names, now = new Date()): Data {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const name = NAME.exec(value)?.[1];
      return name === undefined ? value : meaning(name, names, now);
    }
    if (Array.isArray(value)) return value.map(fill);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(data) as Data;
}
