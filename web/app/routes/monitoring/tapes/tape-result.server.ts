import type { BorrowingBase, Mapping } from '@tapeline/db/entities/lending.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { countDuplicatesOf } from '@tapeline/db/operations/duplicates/duplicates.ts';
import { concentrationLimits } from '@tapeline/domain/borrowing-base/concentration-limits.ts';
import { compare, divide, subtract } from '@tapeline/domain/money/decimal.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { sumAsWritten } from '@tapeline/lake/errored-assets.ts';
import { erroredSources } from '../../../commands/tape-sources.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { statusPool } from './pool-by-status.ts';

/** Limits that the card draws. */
const MAX_LIMITS = 2;
/** From this share of a limit on, it is near. */
const NEAR = 0.9;

interface Found {
  readonly tape: LoanTape;
  readonly bases: readonly BorrowingBase[];
  readonly mapping: Mapping | null;
  readonly previous: LoanTape | null;
}

/** The result of a published tape in a few figures. Null until it is published. */
export async function readTapeResult(screen: Screen, { tape, bases, mapping, previous }: Found) {
  const { counts, statistics } = tape;
  if (!tape.generationId || !counts || !statistics) return null;
  const { currencies, outstanding } = statusPool(statistics);
  const current = bases.filter(({ generationId }) => generationId === tape.generationId);
  const [base] = current;
  const [left, change, duplicates] = await Promise.all([
    counts.errored > 0 ? leftOut(screen, tape, mapping) : null,
    base ? changeSince(screen, base, previous) : null,
    screen.db((session) => countDuplicatesOf(session, tape.id)),
  ]);
  return {
    counts,
    pool: currencies.map((currency, index) => ({ currency, sum: outstanding[index] ?? '0' })),
    previous: previous && { cutOffDate: previous.cutOffDate, assets: previous.counts?.assets ?? null },
    leftOut: left,
    duplicates,
    bases: current.length,
    base: base ? { ...figuresOf(base), availabilityChange: change } : null,
  };
}

/** The balances of the rows that are no assets, as they are written in the file; null if they are not known. */
async function leftOut(screen: Screen, tape: LoanTape, mapping: Mapping | null) {
  const rule = (mapping?.rules as readonly { originCol?: string | null; targetCol: string }[] | undefined)?.find(
    ({ originCol, targetCol }) => {
      const target = originCol ? resolveTarget(targetCol) : null;
      return target?.kind === 'field' && target.path === 'sums.outstandingSum';
    },
  );
  if (!rule?.originCol) return null;
  const { context } = screen;
  const sources = await screen.db((session) => erroredSources(context, session, { tapeIds: [tape.id] }));
  return sumAsWritten(context.lake, sources, rule.originCol);
}

function figuresOf({ id, result }: BorrowingBase) {
  const { totals } = result;
  const all = concentrationLimits(result);
  const limits = all.flatMap(({ title, unit, measured, limit, breached }) =>
    measured === null || limit === null || compare(limit, '0') <= 0
      ? []
      : [{ title, unit, measured, limit, breached, used: Number(divide(measured, limit, 6)) }],
  );
  return {
    id,
    netBB: result.netBB,
    eligible: totals.pools.eligibleOrPerforming.amount,
    availability: totals.availability,
    breached: all.filter(({ breached }) => breached).length,
    near: limits.filter(({ breached, used }) => !breached && used >= NEAR).length,
    limits: limits.toSorted((a, b) => b.used - a.used).slice(0, MAX_LIMITS),
  };
}

/** How the availability of the note changed since the tape before; null if either is unknown. */
async function changeSince({ actor, context }: Screen, base: BorrowingBase, previous: LoanTape | null) {
  const { availability } = base.result.totals;
  if (!previous || !availability) return null;
  const { documents } = await context.store.read(actor, (session) =>
    listBorrowingBases(session, { filter: { loanTape: previous.id }, limit: 200 }),
  );
  const before = documents.find(({ noteId }) => noteId === base.noteId)?.result.totals.availability;
  return before && before.currency === availability.currency ? subtract(availability.sum, before.sum) : null;
}
