import { addDays, calendarDateOf, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatFigure, writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { rateJump } from '@tapeline/domain/money/rate-jump.ts';
import { asProgram, type Session } from '../store.ts';
import { currencyRates } from './currencies/rates.ts';

/** The latest day that is today somewhere: 14 hours ahead of UTC. */
export const latestToday = (now: Date): string => calendarDateOf(new Date(now.getTime() + 14 * 3_600_000));

/** "The NAV of 3 Mar 2031 is in the future."; null for a day that is today somewhere, or earlier. */
export const futureWarning = (what: string, date: string, now: Date): string | null =>
  date > latestToday(now) ? `${what} of ${formatCalendarDate(date)} is in the future.` : null;

/** Warns of documents that state a value of a day to come. @param what "The NAV" */
export function warnOfFuture(
  session: Session,
  what: string,
  documents: readonly { id: string; cutOffDate: string }[],
): void {
  for (const { id, cutOffDate } of documents) {
    const message = futureWarning(what, cutOffDate, session.now);
    if (message) session.warn({ documentId: id, message });
  }
}

/**
 * Sentences about the rates that are far from the latest earlier ones, or, of a currency without any, from the earliest
 * known.
 * @param rates units of each currency for one US dollar, on the day
 */
export async function rateWarnings(
  session: Pick<Session, 'query' | 'now'>,
  { date, rates }: { date: string; rates: Readonly<Record<string, string>> },
): Promise<string[]> {
  const known = await currencyRates(session, { on: addDays(date, -1) });
  return Object.entries(rates).flatMap(([currency, rate]) => {
    const [before, origin] = [known.rates[currency], known.origins[currency]];
    const percent = before === undefined ? null : rateJump(rate, before);
    if (before === undefined || percent === null || !origin) return [];
    return `The rate of ${currency}, ${formatFigure(rate)} for one US dollar, is ${percent} % away from ${formatFigure(before)} of ${formatCalendarDate(origin.date)}.`;
  });
}

/** What looks like a mistake in an upload of tapes: a cut-off date in the future, and rates far from the stored ones. */
export const uploadDoubts = async (
  session: Pick<Session, 'query' | 'now'>,
  {
    cutOffDate,
    exchangeRates = {},
  }: { cutOffDate: string; exchangeRates?: Readonly<Record<string, string>> | undefined },
): Promise<string[]> => [
  ...[futureWarning('The tape', cutOffDate, session.now)].filter((warning) => warning !== null),
  ...(await rateWarnings(session, { date: cutOffDate, rates: exchangeRates })),
];

/**
 * Warns of funds to which more is committed than their hard cap, drafts included, on the day when it is most. Run it after the change is
 * flushed.
 * @param changes the documents that raised it, with their funds
 */
export async function warnOfHardCaps(
  session: Session,
  changes: readonly { id: string; fundId: string }[],
): Promise<void> {
  const fundIds = [...new Set(changes.map(({ fundId }) => fundId))];
  // Commitments that the actor cannot see count too, so the sentence does not say how much there is.
  const exceeded = await asProgram(session, () =>
    session.query<{ id: string; title: string; currency: string; hardCap: string }>(
      `select f.id, f.title, f.currency, f.hard_cap::text as "hardCap" from funds f
       where f.id = any ($1) and f.hard_cap < (
         select max(committed) from (
           select sum(sum(amount)) over (order by day) as committed from (
             select c.closing_date as day, c.active_commitment as amount from lp_commitments c
               where c.fund_id = f.id and c.status <> 'Removed'
             union all select (delta ->> 'date')::date, (delta ->> 'amount')::numeric
               from lp_commitments c, jsonb_array_elements(c.deltas) as delta
               where c.fund_id = f.id and c.status <> 'Removed'
           ) as moves group by day
         ) as days)`,
      [fundIds],
    ),
  );
  for (const { id, title, currency, hardCap } of exceeded) {
    const last = changes.findLast(({ fundId }) => fundId === id);
    session.warn({
      documentId: last?.id ?? null,
      message: `The commitments to ${title}, drafts included, are above its hard cap of ${writtenAmount({ sum: hardCap, currency })}.`,
    });
  }
}

/** Documents that people tell apart by their names. */
const NAMED = {
  companies: { table: 'companies', name: 'name', what: 'borrower' },
  LPs: { table: 'lps', name: 'title', what: 'investor' },
} as const;

/**
 * Warns of borrowers or investors that have the name of another one which the actor can see, in whatever case. Run it
 * after the documents are flushed.
 * @param formerName of a document that is changed: keeping it warns of nothing
 */
export async function warnOfEqualNames(
  session: Session,
  collection: keyof typeof NAMED,
  documentIds: readonly string[],
  formerName = '',
): Promise<void> {
  const { table, name, what } = NAMED[collection];
  // All names are read once: which of them the actor can see costs more than comparing them.
  const equal = await session.query<{ id: string; name: string }>(
    `with asked as (
       select id, ${name} as name, manager_id, lower(btrim(${name})) as compared from ${table} where id = any ($1)
     ), names as (
       select manager_id, lower(btrim(${name})) as compared, count(*) as documents, min(id) as first from ${table}
       where status <> 'Removed' and manager_id in (select manager_id from asked) group by 1, 2
     )
     select asked.id, asked.name from asked join names using (manager_id, compared)
     where compared <> lower(btrim($2)) and (documents > 1 or first <> asked.id)
     order by asked.id`,
    [documentIds, formerName],
  );
  for (const { id, name: own } of equal) {
    session.warn({ documentId: id, message: `There is another ${what} named “${own}”.` });
  }
}
