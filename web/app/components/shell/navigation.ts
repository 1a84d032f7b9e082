import type { MenuGroup } from '@tapeline/domain/collections/collection.ts';
import { EVERY_COLLECTION, titleOfCollection, type ValueOf } from '@tapeline/domain/collections/collections.ts';
import type { PermissionKey, UserActor, UserType } from '@tapeline/domain/people/actor.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import {
  Activity,
  ArrowDownToLine,
  ArrowUpFromLine,
  Bell,
  BookUser,
  BriefcaseBusiness,
  Building2,
  CalendarDays,
  Coins,
  FileSpreadsheet,
  FileUp,
  Filter,
  Folder,
  HandCoins,
  Handshake,
  History,
  IdCard,
  Key,
  Landmark,
  Layers,
  LayoutDashboard,
  ListX,
  type LucideIcon,
  Mail,
  MailWarning,
  Megaphone,
  MessageSquare,
  Scale,
  ScrollText,
  ShieldCheck,
  Table2,
  Table as TableIcon,
  Undo2,
  UserCog,
  Users,
} from 'lucide-react';
import { paths } from '../../paths.ts';

export type NavigationGroup = 'Overview' | MenuGroup;

export interface NavigationItem {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  /** The key to press after `g`. */
  readonly key?: string;
  /** The required permission. Null for every signed-in user. */
  readonly permission: PermissionKey | null;
  /** Only shown to these user types. */
  readonly types?: readonly UserType[];
}

/** The icons that descriptors of collections name. */
const ICONS: Readonly<Record<ValueOf<'menu'>['icon'], LucideIcon>> = {
  ArrowDownToLine,
  ArrowUpFromLine,
  BookUser,
  BriefcaseBusiness,
  Building2,
  FileSpreadsheet,
  FileUp,
  HandCoins,
  Handshake,
  IdCard,
  Landmark,
  Layers,
  Megaphone,
  Scale,
  ScrollText,
  ShieldCheck,
  Table: TableIcon,
  Table2,
  Undo2,
  UserCog,
  Users,
};

type Ranked = NavigationItem & { readonly rank: number };

const COLLECTION_ITEMS = EVERY_COLLECTION.flatMap(([, collection]): (Ranked & { group: MenuGroup })[] => {
  const { menu, list, read } = collection;
  if (!menu || !list) return [];
  const icon = ICONS[menu.icon as keyof typeof ICONS];
  return [{ ...menu, icon, label: titleOfCollection(collection), to: list, permission: read }];
});

/** The collections of a group and its other screens, by rank. */
const itemsOf = (name: MenuGroup, others: readonly Ranked[] = []): NavigationItem[] =>
  [...COLLECTION_ITEMS.filter(({ group }) => group === name), ...others].toSorted(
    (one, other) => one.rank - other.rank,
  );

/** The rail, in display order. A screen appears automatically once its route exists and the user can read it. */
export const NAVIGATION: Readonly<Record<NavigationGroup, readonly NavigationItem[]>> = {
  Overview: [
    { label: 'Dashboard', to: paths.home(), icon: LayoutDashboard, key: 'h', permission: null },
    { label: 'Calendar', to: paths.calendar(), icon: CalendarDays, key: 'l', permission: null },
    { label: 'Monitoring', to: paths.monitoring(), icon: Activity, key: 'm', permission: 'transactions/read' },
  ],
  Lending: itemsOf('Lending'),
  Funds: itemsOf('Funds', [
    {
      label: 'Documents',
      to: paths.documents(),
      icon: Folder,
      permission: 'funds/read',
      types: ['LP', 'LPGroup'],
      rank: 6,
    },
  ]),
  Communication: itemsOf('Communication', [
    { label: 'Notifications', to: paths.notifications(), icon: Bell, key: 'n', permission: null, rank: 2 },
    { label: 'Chats', to: paths.chats(), icon: MessageSquare, permission: null, rank: 3 },
    { label: 'Saved filters', to: paths.filters(), icon: Filter, permission: 'funds/read', rank: 4 },
  ]),
  Administration: itemsOf('Administration', [
    { label: 'Permissions', to: paths.permissions(), icon: Key, permission: 'roles/read', rank: 3 },
    { label: 'Currencies', to: paths.currencies(), icon: Coins, permission: 'managers/read', rank: 7 },
    { label: 'History', to: paths.history(), icon: History, permission: 'history/read', rank: 9 },
    { label: 'Jobs', to: paths.jobs(), icon: ListX, permission: 'managers/read', types: ['admin'], rank: 10 },
    {
      label: 'Held after a restore',
      to: paths.held(),
      icon: MailWarning,
      permission: 'managers/read',
      types: ['admin'],
      rank: 11,
    },
    { label: 'Mailbox', to: paths.mailbox(), icon: Mail, permission: null, types: ['admin'], rank: 12 },
  ]),
};

export const NAVIGATION_GROUPS = Object.keys(NAVIGATION) as NavigationGroup[];

/** Addresses of the rail's items that exist and that the actor can read. */
export function reachable(actor: UserActor, screenPaths: readonly string[]): string[] {
  return NAVIGATION_GROUPS.flatMap((group) => NAVIGATION[group])
    .filter((item) => screenPaths.includes(item.to))
    .filter((item) => item.permission === null || can(actor, item.permission))
    .filter((item) => item.types === undefined || item.types.includes(actor.type))
    .map((item) => item.to);
}

/** The item that the address belongs to: the one with the longest matching prefix. */
export function currentItem(pathname: string, items: readonly NavigationItem[]): NavigationItem | null {
  const starts = (to: string) => to === pathname || (to !== '/' && pathname.startsWith(`${to}/`));
  return items.filter((item) => starts(item.to)).sort((a, b) => b.to.length - a.to.length)[0] ?? null;
}
