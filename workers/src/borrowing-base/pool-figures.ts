import { keepPoolFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { noteStanding } from '@tapeline/db/operations/interest/note-standing.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { daysOfMonth, monthOf } from '@tapeline/domain/dates/calendar-month.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { poolSpeeds } from '@tapeline/domain/pools/paydown.ts';
import { type PoolFigureValues, poolFigures } from '@tapeline/domain/pools/pool-figures.ts';
import { monthsApart } from '@tapeline/domain/pools/speeds.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import { paydown } from '@tapeline/lake/paydown.ts';
import { poolSums } from '@tapeline/lake/pool-sums.ts';
import type { NoteToCompute } from '@tapeline/workflows/loan-tape/activities.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import { earlierTape } from '../tape/earlier-tape.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import type { PublishedTapeParts } from './published-tape.ts';

const MEASURING = { what: 'The figures of the pool', seconds: 300 };

/**
 * Measures the figures of a tape that covenants of a note can name, and keeps them with its borrowing base. That is
 * complete without them: what goes wrong is logged.
 */
export async function measurePool(
  context: WorkerContext,
  parts: PublishedTapeParts,
  note: NoteToCompute,
  borrowingBaseId: string,
): Promise<void> {
  try {
    const figures = await figuresOf(context, parts, note);
    if (figures)
      await context.store.as(TAPE_WORKER, (session) => keepPoolFigures(session, { borrowingBaseId, figures }));
  } catch (error) {
    context.log.warn({ error, tapeId: parts.tape.id }, 'the figures of the pool were not measured');
  }
}

/** Null if the tape has no balances. @throws Refusal as `withJobLake` */
async function figuresOf(
  context: WorkerContext,
  { tape, manifest, parquetFiles, terms }: PublishedTapeParts,
  note: NoteToCompute,
): Promise<PoolFigureValues | null> {
  const after: TapeFiles = { cutOffDate: terms.cutOffDate, paths: parquetFiles, columns: manifest.columns };
  // As the page of a tape shows speeds: since the last tape of an earlier month.
  const before = manifest.unstableIds
    ? null
    : await earlierTape(context, tape.companyId, daysOfMonth(monthOf(terms.cutOffDate)).from);
  const months = before && monthsApart(daysBetween(before.cutOffDate, after.cutOffDate));
  const pool = { currency: terms.mainCurrency, rates: terms.exchangeRates };
  const noteRate = await rateOfNote(context, note, terms.cutOffDate);
  return withJobLake(context, MEASURING, async (lake) => {
    const sums = await poolSums(lake, after);
    if (sums === null) return null;
    const cells = before && months !== null ? await paydown(lake, { before, after }, months) : null;
    const speeds = cells && months !== null ? poolSpeeds(cells, months, pool) : null;
    return poolFigures({ sums, speeds, noteRate }, pool);
  });
}

/** What a note bears on a day, in per cent a year; null without a balance in one currency, or where a base rate is missing. */
function rateOfNote(
  context: Pick<WorkerContext, 'store'>,
  { transactionId, noteId }: NoteToCompute,
  day: string,
): Promise<DecimalText | null> {
  return context.store.as(TAPE_WORKER, async (session) => {
    const { managerId, notes } = await getTransaction(session, transactionId);
    const note = notes.find(({ id }) => id === noteId);
    const standing = note && (await noteStanding(session, { managerId, note, asOf: day }));
    const rates = (standing?.interest ?? []).flatMap(({ segments }) => {
      const last = segments.at(-1);
      return last?.to === day ? [last.rate] : [];
    });
    return rates.length === 1 ? rates[0]! : null;
  });
}
