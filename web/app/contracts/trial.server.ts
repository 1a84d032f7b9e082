import { contractDocument } from '@tapeline/db/operations/transactions/contracts.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { RequestContext } from '../context.ts';
import { tryContract } from '../previews.server.ts';
import type { readContract } from './contract-page.server.ts';
import { type TrialAnswer, trialOf } from './trial.ts';

/** Asks a worker what the contract gives on a published tape; a worker that does not answer is told in words, never thrown. */
export async function tryOnTape(
  context: RequestContext,
  page: Awaited<ReturnType<typeof readContract>>,
  tapeId: string | null,
): Promise<TrialAnswer> {
  const tape = page.tapes.find((candidate) => candidate.id === tapeId) ?? page.tapes[0];
  if (!tape) return { trial: null, fault: 'There is no published tape of this company to try it on yet.' };
  const { contract } = page;
  try {
    const answer = await tryContract(context, {
      tapeId: tape.id,
      contract: contractDocument(contract),
      against: { transactionId: contract.transactionId, noteId: contract.noteId },
    });
    return { trial: trialOf(answer, tape), fault: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reasons = Object.values(error.flags ?? {}).slice(0, 3);
    return { trial: null, fault: [error.message, ...reasons.filter((reason) => reason !== error.message)].join('. ') };
  }
}
