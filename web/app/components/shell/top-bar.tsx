import { Link } from '@remix-run/react';
import { Bell, Building } from 'lucide-react';
import { shortenName } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import type { ShellData } from '../../shell-data.ts';
import { BrandMark } from '../brand.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { CommandPalette } from './command-palette.tsx';
import { MeMenu } from './me-menu.tsx';

/** Where I am, search, whom I act for, notifications; me too where there is no rail. */
export function TopBar({ shell }: { shell: ShellData }) {
  return (
    <header className="topbar sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-paper px-6 text-sm text-ink-2 max-sm:px-4">
      <Link
        to={paths.home()}
        aria-label="Tapeline, to the dashboard"
        className="-ml-2 grid size-10 place-items-center sm:hidden"
      >
        <BrandMark />
      </Link>
      <Breadcrumb />
      <CommandPalette shell={shell} />
      {shell.tenant ? (
        <span
          className="flex h-[30px] flex-none items-center gap-1.5 rounded-md border border-line px-2 text-ink max-md:hidden"
          title={shell.tenant}
        >
          <Building aria-hidden="true" size={15} strokeWidth={1.75} />
          <span className="sr-only">Acting for </span>
          {shortenName(shell.tenant)}
        </span>
      ) : null}
      {shell.items.includes(paths.notifications()) ? (
        <Link
          to={paths.notifications()}
          aria-label="Notifications"
          className="grid size-[30px] flex-none place-items-center rounded-md hover:bg-hover"
        >
          <Bell aria-hidden="true" size={15} strokeWidth={1.75} />
        </Link>
      ) : null}
      <div className="flex-none sm:hidden">
        <MeMenu shell={shell} id="me-top" placement="top-popover" />
      </div>
    </header>
  );
}
