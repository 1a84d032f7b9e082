import { type CheckedDraw, type DrawStage, type FoundException, grewBeyond } from './checks.ts';
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

/** The last run of the checks. Later draws and repayments do not change it. */
export interface StoredChecks extends Pick<CheckedDraw, 'checks' | 'figures'> {
  stage: DrawStage;
  /** ISO instant. */
  at: string;
  /** Date of the rates. */
  ratesOn: string;
}

const keyOf = ({ message, rule, drawType, currency, covenant }: FoundException): string =>
  [message, rule, drawType ?? '', currency ?? '', ...(covenant ? [covenant.id, covenant.testDate] : [])].join('|');

/**
 * The exceptions that the checks found now. A skip stays valid while the request is unchanged and the limit is not
 * exceeded by more than at the last check. The stage is that of the check which found the exception first.
 */
export function mergeExceptions(
  stored: readonly StoredException[],
  found: readonly FoundException[],
  { isUnchanged }: { isUnchanged: boolean },
): StoredException[] {
  const known = new Map(isUnchanged ? stored.map((each) => [keyOf(each.exception), each]) : []);
  return found.map((now) => {
    const before = known.get(keyOf(now));
    if (!before) return { exception: now, status: 'Pending', reason: null };
    const exception = { ...now, stage: before.exception.stage };
    return grewBeyond(now.exceededBy, before.exception.exceededBy)
      ? { exception, status: 'Pending', reason: null }
      : { ...before, exception };
  });
}

/** The pending exceptions that were not among the stored ones, or were exceeded by less. */
export function newlyPending(stored: readonly StoredException[], now: readonly StoredException[]): StoredException[] {
  const known = new Map(stored.filter(isPending).map(({ exception }) => [keyOf(exception), exception]));
  return now.filter((each) => {
    const before = known.get(keyOf(each.exception));
    return isPending(each) && (!before || grewBeyond(each.exception.exceededBy, before.exceededBy));
  });
}

export const isPending = ({ status }: Pick<StoredException, 'status'>): boolean => status === 'Pending';
