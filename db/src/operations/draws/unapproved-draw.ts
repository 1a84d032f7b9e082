import { isPending, newlyPending, type StoredException } from '@tapeline/domain/draws/exceptions.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Draw } from '../../entities/draws.ts';

/**
 * The checks at approval found exceptions that nobody has skipped. If some are new, the request goes back to review: the
 * caller stores them in a transaction of their own, because this one is rolled back.
 */
export class UnapprovedDraw extends Refusal {
  readonly drawId: string;
  readonly drawVersion: number;
  readonly isNew: boolean;

  constructor(draw: Draw, merged: readonly StoredException[]) {
    const pending = merged.filter(isPending);
    const added = newlyPending(draw.exceptions, merged);
    const messages = [...new Set((added.length > 0 ? added : pending).map(({ exception }) => exception.message))];
    super(
      'badRequest',
      added.length > 0
        ? `The checks found new exceptions, so the draw request is in review again: ${messages.join(', ')}`
        : `Skip every exception with a reason, or reject the draw request. Pending: ${messages.join(', ')}`,
      {
        flags: {
          status: 'cannot become Approved while exceptions are pending',
          ...Object.fromEntries(
            merged.flatMap((each, at) => (isPending(each) ? [[`exceptions.${at}.status`, 'must be Skipped']] : [])),
          ),
        },
      },
    );
    this.drawId = draw.id;
    this.drawVersion = draw.version;
    this.isNew = added.length > 0;
  }
}

/** The approval that an error is about, also inside the error of a list's item. */
export function unapprovedDraw(error: unknown): UnapprovedDraw | null {
  if (error instanceof UnapprovedDraw) return error;
  return isRefusal(error) && error.cause !== undefined ? unapprovedDraw(error.cause) : null;
}
