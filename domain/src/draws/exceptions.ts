import { type FoundException, grewBeyond } from './checks.ts';
import type { EXCEPTION_STATUSES } from './draw.schema.ts';

/** What a check found, as stored, and whether it was skipped. */
export interface StoredException {
  exception: FoundException;
  status: (typeof EXCEPTION_STATUSES)[number];
  /** Why it was skipped. */
  reason: string | null;
  skippedBy?: { id: string; name: string } | null;
  /** ISO instant. */
  skippedAt?: string | null;
}

const keyOf = ({ message, rule, drawType, currency }: FoundException): string =>
  [message, rule, drawType ?? '', currency ?? ''].join('|');

/**
 * The exceptions that the checks found now. A skip stays valid while the request is unchanged and the limit is not
 * exceeded by more than at the last check.
 */
export function mergeExceptions(
  stored: readonly StoredException[],
  found: readonly FoundException[],
  { isUnchanged }: { isUnchanged: boolean },
): StoredException[] {
  const skipped = new Map(
    stored.filter(({ status }) => isUnchanged && status === 'Skipped').map((each) => [keyOf(each.exception), each]),
  );
  return found.map((exception) => {
    const before = skipped.get(keyOf(exception));
    return before && !grewBeyond(exception.exceededBy, before.exception.exceededBy)
      ? { ...before, exception }
      : { exception, status: 'Pending', reason: null };
  });
}

export const isPending = ({ status }: Pick<StoredException, 'status'>): boolean => status === 'Pending';
