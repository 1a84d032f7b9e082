import { floorDivide } from '../borrowing-base/exact.ts';
import { isCalendarDate } from '../dates/calendar-date.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Field } from '../filters/catalog.ts';
import {
  compare,
  type DecimalText,
  decimalOf,
  fromScaled,
  isDecimal,
  multiply,
  subtract,
  toScaled,
} from '../money/decimal.ts';

export const MAX_EDGES = 50;

/**
 * Edges in ascending order cut a column into bands: below the first, from each edge to below the next, the last edge
 * and above. Numbers are decimal text, dates 'YYYY-MM-DD'. Every value is in exactly one band.
 */
export type BandEdges = readonly string[];

/** A band; null at an open end. The lower end is inclusive, the upper exclusive. */
export interface Band {
  readonly from: string | null;
  readonly below: string | null;
}

/** Whether values of the field are ordered and can be cut into bands; texts and booleans are used as they are. */
export const isBanded = (field: Field): boolean =>
  field.type === 'number' || field.type === 'decimal' || field.type === 'date';

const orderOf = (field: Field) =>
  field.type === 'date' ? (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0) : compare;

/** The bands between edges; a single open band if there are none. */
export function bandsOf(edges: BandEdges): Band[] {
  return Array.from({ length: edges.length + 1 }, (_, index) => ({
    from: edges[index - 1] ?? null,
    below: edges[index] ?? null,
  }));
}

/** The index of a value's band. */
export function bandOf(value: string, edges: BandEdges, field: Field): number {
  const order = orderOf(field);
  const above = edges.findIndex((edge) => order(value, edge) < 0);
  return above < 0 ? edges.length : above;
}

/**
 * Parses edges from a person or a query string: separated by commas, semicolons or spaces.
 * @throws Refusal badRequest with the flag `bands`
 */
export function parseEdges(text: string, field: Field): BandEdges {
  const refuse = (reason: string) => new Refusal('badRequest', undefined, { flags: { bands: reason } });
  if (!isBanded(field)) throw refuse(`cannot band ${field.label}: it is not a number or a date`);
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  if (parts.length === 0) throw refuse('must have at least one edge');
  if (parts.length > MAX_EDGES) throw refuse(`must have at most ${MAX_EDGES} edges`);
  const edges = parts.map((part) => {
    if (field.type === 'date') {
      if (!isCalendarDate(part)) throw refuse(`"${part}" is not a date; write it as 2026-10-31`);
      return part;
    }
    const number = part.replace(/^\u2212/, '-');
    if (!isDecimal(number)) throw refuse(`"${part}" is not a number`);
    if (number.length > 24) throw refuse(`"${part}" has too many digits`);
    return decimalOf(number);
  });
  const order = orderOf(field);
  if (edges.some((edge, index) => index > 0 && order(edges[index - 1]!, edge) >= 0)) {
    throw refuse('must be in ascending order');
  }
  return edges;
}

/** Fields with customary bands in the industry. */
const CUSTOMARY: Readonly<Record<string, BandEdges>> = {
  daysPastDue: ['1', '30', '60', '90', '120'],
  'creditScores.origination': ['580', '620', '660', '700', '740', '780'],
  'creditScores.current': ['580', '620', '660', '700', '740', '780'],
  originalLtv: ['50', '60', '70', '80', '90', '100', '110', '120'],
  currentLtv: ['50', '60', '70', '80', '90', '100', '110', '120'],
};
const WANTED_BANDS = 8;

/**
 * Suggested edges: the customary ones if there are any, else round steps over the range of most values.
 * @param range the lowest and highest value to cut between (percentiles serve better than extremes); null if the column
 *   is empty
 */
export function suggestEdges(field: Field, range: { low: string; high: string } | null): BandEdges {
  const customary = CUSTOMARY[field.path];
  if (customary) return customary;
  if (range === null) return [];
  return field.type === 'date' ? dateEdges(range) : numberEdges(range);
}

function numberEdges({ low, high }: { low: DecimalText; high: DecimalText }): BandEdges {
  if (!(Number.isFinite(Number(low)) && Number.isFinite(Number(high)))) return [];
  const ends = [decimalOf(low), decimalOf(high)];
  const span = Number(subtract(ends[1]!, ends[0]!));
  if (!(span > 0)) return [];
  const rough = span / WANTED_BANDS;
  const power = Math.floor(Math.log10(rough));
  const [digit, exponent] = [1, 2, 2.5, 5, 10]
    .map((one) => [one, power] as const)
    .find(([one]) => one * 10 ** power >= rough * 0.999_999) ?? [1, power + 1];
  const step = multiply(decimalOf(digit), decimalOf(`1e${exponent}`));
  // In integers: multiples of a fine step far from zero exceed what a number represents exactly.
  const digits = Math.max(...[step, ...ends].map((decimal) => decimal.split('.')[1]?.length ?? 0));
  const [each, least, most] = [step, ...ends].map((decimal) => toScaled(decimal, digits)) as [bigint, bigint, bigint];
  const edges: string[] = [];
  for (let at = (floorDivide(least, each) + 1n) * each; at <= most && edges.length < MAX_EDGES; at += each) {
    edges.push(decimalOf(fromScaled(at, digits)));
  }
  return edges;
}

/** First days of years, quarters or months, whichever gives a readable number of bands. */
function dateEdges({ low, high }: { low: string; high: string }): BandEdges {
  const month = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const span = month(high) - month(low);
  const step = span > 60 ? 12 * Math.ceil(span / 12 / (2 * WANTED_BANDS)) : span > 24 ? 12 : span > 10 ? 3 : 1;
  const edges: string[] = [];
  for (let at = (Math.floor(month(low) / step) + 1) * step; at <= month(high) && edges.length < MAX_EDGES; at += step) {
    edges.push(`${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}-01`);
  }
  return edges;
}
