import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_QUOTED, type RatesAnswer } from '@tapeline/domain/money/published-rates.ts';
import { SaxesParser } from 'saxes';
import { z } from 'zod';

const MAX_DEPTH = 20;
/** Days in one answer of the European Central Bank: its longest is the history since 1999, which is not for this. */
const MAX_DAYS = 100;

const jsonSchema = z.object({ base: z.string(), date: z.string(), rates: z.record(z.string(), z.unknown()) });

const refuse = (message: string): never => {
  throw new Refusal('badRequest', message);
};

/**
 * Reads the answer of a service: the XML of the European Central Bank, or JSON of the form `{ base, date, rates }`.
 * @throws Refusal badRequest if it is neither
 */
export function parseRates(text: string): RatesAnswer {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('<')) return parseXml(start);
  if (start.startsWith('{')) return parseJson(start);
  return refuse('The answer is neither XML nor JSON');
}

function parseJson(text: string): RatesAnswer {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse('The answer is not valid JSON');
  }
  const parsed = jsonSchema.safeParse(body);
  if (!parsed.success) return refuse('The answer does not have the form { base, date, rates }');
  const { base, date, rates } = parsed.data;
  return { base, date, rates: Object.entries(rates) };
}

/** One `Cube` with a `time` holds a `Cube` for each currency: units for one euro. */
function parseXml(text: string): RatesAnswer {
  const days = new Map<string, [currency: string, rate: string][]>();
  let day: [string, string][] | null = null;
  let depth = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', () => refuse('The answer is not valid XML'));
  parser.on('doctype', () => refuse('The answer has a document type, which is not allowed'));
  parser.on('opentag', ({ name, attributes: { time, currency, rate } }) => {
    depth += 1;
    if (depth > MAX_DEPTH) refuse(`The answer is nested more than ${MAX_DEPTH} levels deep`);
    if (name !== 'Cube') return;
    if (time !== undefined) {
      day = [];
      days.set(time, day);
      if (days.size > MAX_DAYS) refuse(`The answer has more than ${MAX_DAYS} days`);
    } else if (currency !== undefined) {
      if (!day || rate === undefined) return refuse('The answer does not have the form of the European Central Bank');
      day.push([currency, rate]);
      if (day.length > MAX_QUOTED) refuse(`The answer has more than ${MAX_QUOTED} rates`);
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.write(text).close();
  const [latest] = [...days].sort(([a], [b]) => (a < b ? 1 : -1));
  if (!latest) return refuse('The answer does not have the form of the European Central Bank');
  const [date, rates] = latest;
  return { base: 'EUR', date, rates };
}
