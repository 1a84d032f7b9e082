import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Explains what belongs in an empty panel, and the first step to fill it. */
export function EmptyState({
  icon: Icon = Inbox,
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
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-full bg-hover text-ink-3">
        <Icon aria-hidden="true" size={18} strokeWidth={1.75} />
      </span>
      <p className="text-base font-semibold">{title}</p>
      {children ? <div className="mt-1 max-w-[46ch] text-sm text-ink-2">{children}</div> : null}
      {action ? <div className="mt-4 flex gap-2">{action}</div> : null}
    </div>
  );
}
