import { formatCount } from '../../../../components/figures/format.ts';
import type { DrawPage } from './draw-page.server.ts';

type Blocked = Pick<DrawPage, 'exceptions' | 'isOwn'>;

/** The exceptions that nobody has skipped yet. */
export const pendingOf = ({ exceptions }: Pick<Blocked, 'exceptions'>) =>
  exceptions.filter(({ status }) => status === 'Pending');

/** Why the actor cannot approve now; null if they can. */
export function approvalBlock(page: Blocked): string | null {
  const pending = pendingOf(page).length;
  if (page.isOwn) return 'You requested or last changed this draw, so someone else must approve it.';
  if (pending > 0) {
    return `${formatCount(pending, 'exception is', 'exceptions are')} pending. Skip each with a reason to approve the draw, or reject it.`;
  }
  return null;
}
