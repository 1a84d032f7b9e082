import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { notesForTape } from '@tapeline/db/operations/transactions/transactions.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { ReviewedNote } from '@tapeline/workflows/corrections/preview.ts';
import { measureNote } from '../borrowing-base/calculate.ts';
import type { WorkerContext } from '../context.ts';
import type { JobLimits } from '../job-limits.ts';
import { TAPE_WORKER } from '../tape/tape-record.ts';
import type { RerunBase } from './open-rerun.ts';

/** Assets that a borrowing base can be measured on. */
export interface ReviewedAssets {
  readonly manifest: GenerationManifest;
  readonly parquetFiles: readonly string[];
}

/** Every note of the company, with its net borrowing base on the published assets and on the next ones. */
export async function reviewNotes(
  context: WorkerContext,
  { tape, manifest, assetsPaths }: Pick<RerunBase, 'tape' | 'manifest' | 'assetsPaths'>,
  next: ReviewedAssets,
  { signal, ...limits }: JobLimits,
): Promise<ReviewedNote[]> {
  const terms = { cutOffDate: tape.cutOffDate, mainCurrency: tape.mainCurrency, exchangeRates: tape.exchangeRates };
  const notes = await context.store.as(TAPE_WORKER, (session) => notesForTape(session, tape));
  const reviewed: ReviewedNote[] = [];
  for (const { transactionId, transactionTitle, noteId, noteTitle, contract } of notes) {
    signal.throwIfAborted();
    const measured = async ({ manifest, parquetFiles }: ReviewedAssets) => {
      const note = { transactionId, noteId, contractId: contract?.id ?? '' };
      const parts = { manifest, terms, parquetFiles: [...parquetFiles], documents: tape.otherAttachments };
      const { result } = await measureNote(context, limits, parts, note);
      return result.netBB;
    };
    const title = {
      transactionId,
      noteId,
      contractId: contract?.id ?? null,
      title: `${transactionTitle}, ${noteTitle}`,
    };
    const unknown = (failure: string) => ({ ...title, before: null, after: null, failure });
    if (!contract) {
      reviewed.push(unknown('No Active contract applies at this cut-off date'));
      continue;
    }
    try {
      reviewed.push({
        ...title,
        before: await measured({ manifest, parquetFiles: assetsPaths }),
        after: await measured(next),
        failure: null,
      });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      reviewed.push(unknown(error.message));
    }
  }
  return reviewed;
}

/**
 * Whether the borrowing bases of a tape are calculated again after a re-run.
 * @param isReviewed whether a review has shown the next ones to the user who decided
 */
export async function calculatesAgain(context: WorkerContext, tapeId: string, isReviewed: boolean): Promise<boolean> {
  return context.store.as(TAPE_WORKER, async (session) => {
    const tape = await getTape(session, tapeId);
    if (tape.calculateBB || !isReviewed) return tape.calculateBB;
    return (await listBorrowingBases(session, { filter: { loanTape: tapeId }, limit: 1 })).total > 0;
  });
}
