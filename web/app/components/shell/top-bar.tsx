import { Link } from '@remix-run/react';
import { Bell, Building, ChevronsUpDown } from 'lucide-react';
import { paths } from '../../paths.ts';
import { BrandMark } from '../brand.tsx';
import { shortenName } from '../figures/format.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { CommandPalette } from './command-palette.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { MeMenu } from './me-menu.tsx';
import type { ShellData } from './shell-data.ts';
import { useUnread } from './use-unread.ts';

const TENANT = 'flex h-[30px] flex-none items-center gap-1.5 rounded-md border border-line px-2 text-ink max-md:hidden';

/** Whom the user acts for. A link to the choice if there is one. */
function Tenant({ shell: { tenant, canChooseTenant, person } }: { shell: ShellData }) {
  const name = tenant ?? (person.type === 'admin' ? 'All managers' : null);
  if (!name) return null;
  const inside = (
    <>
      <Building aria-hidden="true" size={15} strokeWidth={1.75} />
      <span className="sr-only">Acting for </span>
      {shortenName(name)}
    </>
  );
  if (!canChooseTenant) {
    return (
      <span className={TENANT} title={name}>
        {inside}
      </span>
    );
  }
  return (
    <Link to={paths.actingFor()} className={`${TENANT} hover:bg-hover`} title={`${name}: choose another`}>
      {inside}
      <ChevronsUpDown aria-hidden="true" size={13} strokeWidth={1.75} />
    </Link>
  );
}

/** The badge shows no more than this. */
const MAX_COUNTED = 99;

/** Leads to the notifications. Its count changes at once when somebody is told something. */
function NotificationBell({ loaded }: { loaded: number }) {
  const unread = useUnread(loaded);
  const words = unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`;
  return (
    <>
      <Link
        to={paths.notifications()}
        aria-label={words}
        className="relative grid size-[30px] flex-none place-items-center rounded-md hover:bg-hover"
      >
        <Bell aria-hidden="true" size={15} strokeWidth={1.75} />
        {unread === 0 ? null : (
          <span
            aria-hidden="true"
            className="figures absolute -top-0.5 -right-0.5 grid h-3.5 min-w-3.5 place-items-center rounded-full bg-accent px-0.5 text-[10px] leading-none font-semibold text-paper"
          >
            {unread > MAX_COUNTED ? `${MAX_COUNTED}+` : unread}
          </span>
        )}
      </Link>
      <span role="status" className="sr-only">
        {unread > loaded ? `${unread} unread notifications` : ''}
      </span>
    </>
  );
}

/** Location, search, tenant and notifications. Also the user menu when the rail is hidden. */
export function TopBar({ shell }: { shell: ShellData }) {
  return (
    <header className="topbar sticky top-0 z-20 flex h-12 items-center gap-2 border-b border-line bg-paper px-6 text-sm text-ink-2 max-sm:px-4">
      <Link
        to={paths.home()}
        aria-label="Tapeline, go to Home"
        className="-ml-2 grid size-10 place-items-center sm:hidden"
      >
        <BrandMark />
      </Link>
      <Breadcrumb />
      <CommandPalette shell={shell} />
      <FilterMenu shell={shell} />
      <Tenant shell={shell} />
      <NotificationBell loaded={shell.unread} />
      <div className="flex-none sm:hidden">
        <MeMenu shell={shell} id="me-top" placement="top-popover" />
      </div>
    </header>
  );
}
