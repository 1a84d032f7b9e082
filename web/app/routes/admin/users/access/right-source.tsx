import type { PermissionSource } from '@tapeline/db/operations/users/access-report.ts';
import { Check, Minus, Plus, X } from 'lucide-react';

const ICON = { 'aria-hidden': true, size: 14, strokeWidth: 2 } as const;

/** Whether a user holds a permission, and where it comes from or why it is missing. */
export function RightSource({ source }: { source: PermissionSource | null }) {
  if (!source) return <span className="text-xs text-ink-3">read only</span>;
  if (!source.allowed)
    return (
      <span className="inline-flex items-center gap-1.5 text-xs text-ink-3">
        <X {...ICON} /> not for this type
      </span>
    );
  if (source.granted)
    return (
      <span className="inline-flex h-5 items-center gap-1 rounded-full bg-accent-soft px-[7px] text-xs font-medium text-accent">
        <Plus {...ICON} /> {source.inRole ? 'role and added' : 'added'}
      </span>
    );
  if (source.inRole && source.blocked)
    return (
      <span className="inline-flex h-5 items-center gap-1 rounded-full bg-danger-soft px-[7px] text-xs font-medium text-danger">
        <Minus {...ICON} /> removed
      </span>
    );
  if (source.inRole)
    return (
      <span className="inline-flex items-center gap-1.5 text-good">
        <Check {...ICON} /> <span className="text-xs text-ink-2">role</span>
      </span>
    );
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">not held</span>
    </span>
  );
}
