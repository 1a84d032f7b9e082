import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

const LOOKS = {
  info: { box: 'bg-accent-soft text-accent', icon: Info },
  good: { box: 'bg-good-soft text-good', icon: CircleCheck },
  warning: { box: 'bg-warning-soft text-warning', icon: TriangleAlert },
  danger: { box: 'bg-danger-soft text-danger', icon: CircleAlert },
} as const;

/**
 * One sentence about the whole page, with an action on the right. Danger is announced immediately, other tones
 * politely.
 */
export function Notice({
  tone = 'info',
  children,
  action,
}: {
  tone?: keyof typeof LOOKS;
  children: ReactNode;
  /** A link or button. It inherits the notice's colour. */
  action?: ReactNode;
}) {
  const { box, icon: Icon } = LOOKS[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classNames(
        'mb-[18px] flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-lg px-3.5 py-2.5 text-sm',
        box,
      )}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none" />
      <div className="min-w-48 flex-1">{children}</div>
      {action ? (
        <div className="ml-auto font-[550] hover:underline max-sm:-my-2 max-sm:[&>a]:inline-block max-sm:[&>a]:py-2.5 max-sm:[&>button]:py-2.5">
          {action}
        </div>
      ) : null}
    </div>
  );
}
