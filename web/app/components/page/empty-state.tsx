import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Says in one line that a panel is empty, what belongs in it, and the first step to fill it. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5 text-sm">
      <p className="min-w-0 text-ink-2">
        {Icon ? (
          <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="mr-2 inline align-[-3px] text-ink-3" />
        ) : null}
        <span className="mr-1 font-medium text-ink">{title}</span> {children}
      </p>
      {action ? <div className="ml-auto flex gap-2">{action}</div> : null}
    </div>
  );
}
