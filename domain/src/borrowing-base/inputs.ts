import type { TransactionContract } from '../facilities/contract.schema.ts';
import type { FacilityPosition, TapeTerms } from './publish.ts';

/** Everything that a borrowing base is calculated from. */
export interface BorrowingBaseInputs {
  /** The published generation of the tape. Its assets never change. */
  readonly generationId: string;
  readonly tape: TapeTerms;
  /** Its terms. What happens to the contract later does not change them. */
  readonly contract: Omit<TransactionContract, 'id' | 'version' | 'status'>;
  /** Null if the note has no currency, and so no position. */
  readonly facility: FacilityPosition | null;
}

/**
 * The inputs as canonical JSON: keys in order, no spaces, missing values left out. Its SHA-256 identifies a result: the
 * same inputs give the same figures.
 */
export function inputsText(inputs: BorrowingBaseInputs): string {
  return JSON.stringify(ordered(inputs));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, part]) => [key, ordered(part)]),
  );
}
