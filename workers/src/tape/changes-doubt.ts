import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { tapeLimitsOf } from '@tapeline/db/operations/tapes/pool-doubts.ts';
import { negate } from '@tapeline/domain/money/decimal.ts';
import { convertedRoll, rollForwardOf } from '@tapeline/domain/pools/roll-forward.ts';
import { percentBeside } from '@tapeline/domain/tapes/limit-share.ts';
import type { ChangesQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { changesQuestion } from '@tapeline/domain/tapes/tape-questions.ts';
import type { TapeFiles } from '@tapeline/lake/asset-relation.ts';
import type { Lake } from '@tapeline/lake/lake.ts';
import { foundChanges, pairedTapes, rollCells } from '@tapeline/lake/roll-forward.ts';
import type { WorkerContext } from '../context.ts';
import { TAPE_WORKER } from './tape-record.ts';

/**
 * What to ask about the changes of a tape since the previous one, before it is published. Null without a limit in a contract
 * of the borrower, and if nothing is beyond one.
 * @param earlier the previous tape; its assets have ids of their own
 */
export async function changesDoubtOf(
  context: Pick<WorkerContext, 'store'>,
  lake: Lake,
  tape: LoanTape,
  { after, earlier }: { after: Omit<TapeFiles, 'cutOffDate'>; earlier: TapeFiles | null },
): Promise<ChangesQuestion | null> {
  if (!earlier) return null;
  const limits = await context.store.as(TAPE_WORKER, (session) => tapeLimitsOf(session, tape));
  if (!limits) return null;
  const pair = await pairedTapes(lake, {
    before: earlier,
    after: { ...after, cutOffDate: tape.cutOffDate },
  });
  if (!pair) return null;
  const { matched, changed, changes } = await foundChanges(lake, pair);
  // At the rates of one tape, so that what they changed is in no share.
  const rates = { before: tape.exchangeRates, after: tape.exchangeRates };
  const roll = convertedRoll(rollForwardOf(await rollCells(lake, pair)), tape.mainCurrency, rates);
  const left = negate(roll.changes.find(({ line }) => line === 'left')?.change ?? '0');
  return changesQuestion({
    since: earlier.cutOffDate,
    matched,
    changed,
    changes: changes.flatMap(({ kind, count }) => (count ? [{ kind, count }] : [])),
    changedPercent: percentBeside(String(changed), String(matched)),
    changedLimit: limits.changed,
    leftPercent: roll.leftOut.length > 0 ? null : percentBeside(left, roll.opening),
    leftLimit: limits.left,
  });
}
