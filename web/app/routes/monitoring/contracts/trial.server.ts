import { contractDocument } from '@tapeline/db/operations/transactions/contracts.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type Asker, tryContract } from '../../../commands/previews.server.ts';
import type { readContract } from './contract-page.server.ts';
import { type TrialAnswer, trialOf } from './trial.ts';

/**
 * Asks a worker for the contract's results on a published tape. If no worker answers, returns a message and does not
 * throw.
 */
export async function tryOnTape(asker: Asker, page: Awaited<ReturnType<typeof readContract>>): Promise<TrialAnswer> {
  const { tape } = page;
  if (!tape) return { trial: null, problem: 'This company has no published tape to test the contract on.' };
  const { contract } = page;
  try {
    const answer = await tryContract(asker, {
      tapeId: tape.id,
      contract: contractDocument(contract),
      against: { transactionId: contract.transactionId, noteId: contract.noteId },
    });
    return { trial: trialOf(answer, tape), problem: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reasons = Object.values(error.flags ?? {}).slice(0, 3);
    return {
      trial: null,
      problem: [error.message, ...reasons.filter((reason) => reason !== error.message)].join('. '),
    };
  }
}
