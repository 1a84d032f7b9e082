import type { DemonstrationProposal } from '@tapeline/db/seed/demonstration/proposal.ts';
import type { Caller } from '../client/caller.ts';

/** Proposes the correction as the borrower, unless an earlier run has already done so. */
export async function proposeCorrection(
  api: Caller,
  { cutOffDate, row, header, value, comment }: DemonstrationProposal,
): Promise<void> {
  const find = <T>(path: string, filter: object) =>
    api.get<T[]>(`${path}?filter=${encodeURIComponent(JSON.stringify(filter))}&limit=1`);
  // A borrower can see only its own tapes.
  const [tape] = await find<{ id: string }>('/crud/loanTape', { cutOffDate });
  if (!tape) throw new Error(`there is no tape at ${cutOffDate}`);
  const proposals = await find('/LTP/assets/errored/proposals', { loanTapeId: tape.id });
  if (proposals.length > 0) return;
  await api.post('/LTP/assets/errored', {
    loanTapeId: tape.id,
    assets: [{ rowNumber: row, originData: { [header]: value } }],
    comment,
  });
}
