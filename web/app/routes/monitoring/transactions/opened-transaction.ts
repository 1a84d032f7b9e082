import type { ContractVersion } from '@tapeline/db/operations/transactions/contracts.ts';
import type { utilizationOfNotes } from '@tapeline/db/operations/transactions/note-utilization.ts';
import type { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';

/** A transaction with its note as the tabs read from it. */
export interface Opened {
  readonly transaction: Awaited<ReturnType<typeof getTransaction>>;
  readonly note: Opened['transaction']['notes'][number];
  readonly contracts: readonly ContractVersion[];
  readonly utilizations: Awaited<ReturnType<typeof utilizationOfNotes>>;
  readonly canWrite: boolean;
}
