import type { PublishedTape, TapeBase } from '@tapeline/db/operations/tapes/published-tapes.ts';

/** The borrowing base whose assets or results are shown instead of the current ones. Null if the current ones are shown. */
export function pastOf({ borrowingBase, isEarlier, manifest }: PublishedTape) {
  if (!borrowingBase || !(isEarlier || borrowingBase.isSuperseded)) return null;
  const { calculatedAt, isSuperseded } = borrowingBase;
  return {
    base: { ...baseChoice(borrowingBase), calculatedAt },
    /** The assets are earlier ones, and not only the results. */
    isEarlier,
    isSuperseded,
    mappingVersion: manifest.mapping?.version ?? null,
  };
}

/** A borrowing base as an option on the page. */
export const baseChoice = ({ id, transaction, note, contract }: TapeBase) => ({
  id,
  note: [transaction.title, note.title].filter(Boolean).join(', ') || 'Note',
  contract: { id: contract.id, revision: contract.revision, cutOffDate: contract.cutOffDate },
});
