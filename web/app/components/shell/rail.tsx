import { Form, Link, useLocation } from '@remix-run/react';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { paths } from '../../paths.ts';
import { BrandMark } from '../brand.tsx';
import { classNames } from '../class-names.ts';
import { CsrfField } from '../forms/csrf-field.tsx';
import { MeMenu } from './me-menu.tsx';
import { currentItem, NAVIGATION, NAVIGATION_GROUPS, type NavigationItem } from './navigation.ts';
import type { ShellData } from './shell-data.ts';

/** The rail's groups with the items that exist and are readable. A group without items is omitted. */
export function groupsOf(reachablePaths: readonly string[]) {
  return NAVIGATION_GROUPS.map((label) => ({
    label,
    items: NAVIGATION[label].filter((item) => reachablePaths.includes(item.to)),
  })).filter((group) => group.items.length > 0);
}

function RailLink({ item, current }: { item: NavigationItem; current: boolean }) {
  const Icon = item.icon;
  return (
    <Link
      to={item.to}
      prefetch="intent"
      title={item.label}
      aria-current={current ? 'page' : undefined}
      className={classNames(
        'flex h-[30px] flex-none items-center gap-[9px] rounded-md px-2 text-sm',
        current ? 'bg-selected font-[550] text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={classNames('flex-none', current ? 'text-accent' : 'text-ink-3')}
      />
      <span className="rail-word truncate">{item.label}</span>
    </Link>
  );
}

/** The left rail: 216 px wide, 56 px when folded. Under 640 px it is hidden and the bottom bar replaces it. */
export function Rail({ shell }: { shell: ShellData }) {
  const { pathname } = useLocation();
  const groups = groupsOf(shell.items);
  const current = currentItem(
    pathname,
    groups.flatMap((group) => group.items),
  );
  const FoldIcon = shell.isRailFolded ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      aria-label="Navigation"
      className="rail sticky top-0 flex h-screen w-(--rail-width) flex-col border-r border-line bg-rail px-2.5 pt-3.5 pb-3 max-sm:hidden"
    >
      <div className="group/brand flex items-center pb-2.5">
        <Link
          to={paths.home()}
          className="flex items-center gap-[9px] rounded-md px-[7px] py-0.5 text-[15px] font-[650] tracking-[-0.01em]"
        >
          <BrandMark />
          <span className="rail-word">Tapeline</span>
          <span className="sr-only">, go to dashboard</span>
        </Link>
      </div>
      <nav
        aria-label="Main"
        className="scroll-edges -mx-1 flex min-h-0 flex-1 flex-col gap-0.5 overflow-x-hidden overflow-y-auto px-1"
      >
        {groups.map((group) => (
          <div key={group.label} className="contents">
            <p className="rail-word px-2 pt-3 pb-1 text-2xs font-medium text-ink-3">{group.label}</p>
            {group.items.map((item) => (
              <RailLink key={item.to} item={item} current={item === current} />
            ))}
          </div>
        ))}
      </nav>
      <Form method="post" action={paths.preferences()} navigate={false} className="mt-2 max-lg:hidden">
        <CsrfField />
        <input type="hidden" name="rail" value={shell.isRailFolded ? 'open' : 'folded'} />
        <input type="hidden" name="next" value={pathname} />
        <button
          type="submit"
          aria-label={shell.isRailFolded ? 'Expand navigation' : 'Collapse navigation'}
          className="flex h-[30px] w-full items-center gap-[9px] rounded-md px-2 text-sm text-ink-3 hover:bg-hover hover:text-ink"
        >
          <FoldIcon aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none" />
          <span className="rail-word">Collapse</span>
        </button>
      </Form>
      <div className="mt-2 border-t border-line pt-2">
        <MeMenu shell={shell} id="me-rail" placement="me-popover" />
      </div>
    </aside>
  );
}
