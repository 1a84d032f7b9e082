import type { ReactNode } from 'react';

/** What can be done with the rows above it: a bar under a list that stays in view while the list scrolls. */
export const ACTION_BAR =
  'sticky bottom-0 z-20 flex flex-wrap items-center gap-2 rounded-b-lg border-t border-line bg-selected px-3 py-2 text-sm max-sm:bottom-14';

export const ActionBar = ({ children }: { children: ReactNode }) => <div className={ACTION_BAR}>{children}</div>;
