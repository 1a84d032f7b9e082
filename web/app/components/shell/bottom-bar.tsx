import { Link, useLocation } from '@remix-run/react';
import { Menu } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { currentItem } from './navigation.ts';
import { groupsOf } from './rail.tsx';
import type { ShellData } from './shell-data.ts';

const SHOWN = 4;

/** Navigation under 640 px: the first four items, and all items behind "More". */
export function BottomBar({ shell }: { shell: ShellData }) {
  const { pathname } = useLocation();
  const groups = groupsOf(shell.items);
  const items = groups.flatMap((group) => group.items);
  const current = currentItem(pathname, items);
  const cell = 'flex flex-1 flex-col items-center justify-center gap-0.5 text-2xs';
  return (
    <nav
      aria-label="Main"
      className="bottombar fixed inset-x-0 bottom-0 z-20 flex h-14 border-t border-line bg-paper sm:hidden"
    >
      {items.slice(0, SHOWN).map((item) => {
        const Icon = item.icon;
        return (
          <Link
            key={item.to}
            to={item.to}
            aria-current={item === current ? 'page' : undefined}
            className={classNames(cell, item === current ? 'font-[550] text-accent' : 'text-ink-2')}
          >
            <Icon aria-hidden="true" size={18} strokeWidth={1.75} />
            {item.label}
          </Link>
        );
      })}
      {items.length > SHOWN ? (
        <>
          <button type="button" className={classNames(cell, 'text-ink-2')} {...{ popovertarget: 'more-screens' }}>
            <Menu aria-hidden="true" size={18} strokeWidth={1.75} />
            More
          </button>
          <div
            id="more-screens"
            {...{ popover: 'auto' }}
            className="more-popover rounded-lg border border-line bg-paper p-2 shadow-float"
          >
            {groups.map((group) => (
              <div key={group.label}>
                <p className="px-2 pt-2 pb-1 text-2xs font-medium text-ink-3">{group.label}</p>
                {group.items.map((item) => {
                  const Icon = item.icon;
                  return (
                    <Link
                      key={item.to}
                      to={item.to}
                      className="flex h-10 items-center gap-2.5 rounded-md px-2 text-base hover:bg-hover"
                    >
                      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-ink-3" />
                      {item.label}
                    </Link>
                  );
                })}
              </div>
            ))}
          </div>
        </>
      ) : null}
    </nav>
  );
}
