import type { ReactNode } from 'react';

/** Lines up to which the table of a review leaves room for what was checked beside it. */
const MAX_LINES_BESIDE = 2;

/**
 * A review: the table of the shares, and beside it what was checked. On a narrow screen, and with many lines, what was
 * checked comes first.
 */
export function ReviewColumns({ lines, checks, children }: { lines: number; checks: ReactNode; children: ReactNode }) {
  if (lines > MAX_LINES_BESIDE) {
    return (
      <>
        {checks}
        {children}
      </>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-x-6 min-[1360px]:grid-cols-[minmax(0,1fr)_16.5rem]">
      <div className="min-w-0 min-[1360px]:order-2">{checks}</div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
