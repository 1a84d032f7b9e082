import { Link, useLocation } from '@remix-run/react';
import { Menu } from 'lucide-react';
import { paths } from '../../paths.ts';
import { classNames } from '../class-names.ts';
import { formatFigure } from '../figures/format.ts';
import { findScreen, phoneItems, railOf } from './navigation.ts';
import { BackToAdministration } from './rail.tsx';
import type { ShellData } from './shell-data.ts';

const CELL = 'flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 px-1 text-2xs';
const LINE = 'flex h-10 w-full items-center gap-2.5 rounded-md px-2 text-base hover:bg-hover';

/** Navigation under 640 px: four items, and all items behind "More". */
export function BottomBar({ shell }: { shell: ShellData }) {
  const { pathname } = useLocation();
  const groups = railOf(shell);
  const shown = phoneItems(
    shell.account,
    groups.flatMap((group) => group.items),
  );
  const current = findScreen(pathname, shell)?.item.label;
  const isBehindMore = current !== undefined && !shown.some(({ label }) => label === current);
  const cellClass = (isCurrent: boolean) => classNames(CELL, isCurrent ? 'font-[550] text-accent' : 'text-ink-2');
  return (
    <nav
      aria-label="Main"
      className="bottombar fixed inset-x-0 bottom-0 z-20 flex h-14 border-t border-line bg-paper sm:hidden"
    >
      {shown.map(({ label, to, icon: Icon, shortLabel = label }) => (
        <Link
          key={to}
          to={to}
          aria-current={label === current ? 'page' : undefined}
          className={cellClass(label === current)}
        >
          <span className="relative">
            <Icon aria-hidden="true" size={18} strokeWidth={1.75} />
            {to === paths.approvals() && shell.approvals > 0 ? (
              <span className="absolute -top-1.5 left-3 rounded-full bg-accent px-1 text-2xs leading-4 font-semibold text-accent-ink">
                {formatFigure(shell.approvals)}
              </span>
            ) : null}
          </span>
          <span className="max-w-full truncate">{shortLabel}</span>
        </Link>
      ))}
      <button type="button" className={cellClass(isBehindMore)} {...{ popovertarget: 'more-screens' }}>
        <Menu aria-hidden="true" size={18} strokeWidth={1.75} />
        More
      </button>
      <div
        id="more-screens"
        {...{ popover: 'auto' }}
        className="more-popover rounded-lg border border-line bg-paper p-2 shadow-float"
      >
        {groups.map(({ label, items, isLast }) => (
          <div key={items[0]?.to} className="border-line not-first:mt-1 not-first:border-t not-first:pt-1">
            {label ? <p className="px-2 pt-1 pb-0.5 text-2xs font-medium text-ink-3">{label}</p> : null}
            {items.map((item) => {
              const Icon = item.icon;
              return (
                <Link
                  key={item.to}
                  to={item.to}
                  aria-current={item.label === current ? 'page' : undefined}
                  className={classNames(LINE, item.label === current && 'bg-selected font-[550]')}
                >
                  <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-ink-3" />
                  {item.label}
                </Link>
              );
            })}
            {isLast ? <BackToAdministration shell={shell} className={LINE} /> : null}
          </div>
        ))}
      </div>
    </nav>
  );
}
