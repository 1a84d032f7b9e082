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
import { paths } from '../../routes/paths.ts';

export type NavigationGroup = 'Overview' | 'Lending' | 'Funds' | 'Communication' | 'Administration';

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

/** The rail, in display order. A screen appears automatically once its route exists and the user can read it. */
export const NAVIGATION: Readonly<Record<NavigationGroup, readonly NavigationItem[]>> = {
  Overview: [
    { label: 'Dashboard', to: paths.home(), icon: LayoutDashboard, key: 'h', permission: null },
    { label: 'Calendar', to: paths.calendar(), icon: CalendarDays, key: 'l', permission: null },
    { label: 'Monitoring', to: paths.monitoring(), icon: Activity, key: 'm', permission: 'transactions/read' },
  ],
  Lending: [
    { label: 'Loan tapes', to: paths.tapes(), icon: FileSpreadsheet, key: 't', permission: 'assets/read' },
    { label: 'Mappings', to: paths.mappings(), icon: Table2, key: 'p', permission: 'assets/ETL/read' },
    { label: 'Transactions', to: paths.transactions(), icon: Landmark, key: 'x', permission: 'transactions/read' },
    { label: 'Contracts', to: paths.contracts(), icon: ScrollText, key: 'c', permission: 'transactions/read' },
    { label: 'Borrowing bases', to: paths.borrowingBases(), icon: Scale, key: 'b', permission: 'borrowingBase/read' },
    { label: 'Draws', to: paths.draws(), icon: HandCoins, key: 'd', permission: 'transactionDraw/read' },
    { label: 'Repayments', to: paths.repayments(), icon: Undo2, key: 'r', permission: 'repayments/read' },
    { label: 'Companies', to: paths.companies(), icon: Building2, permission: 'companies/read' },
  ],
  Funds: [
    { label: 'Funds', to: paths.funds(), icon: BriefcaseBusiness, key: 'f', permission: 'funds/read' },
    {
      label: 'Main funds',
      to: paths.mainFunds(),
      icon: Layers,
      permission: 'funds/read',
      types: ['admin', 'manager'],
    },
    { label: 'Investors', to: paths.investors(), icon: Users, key: 'i', permission: 'LPs/read' },
    { label: 'Capital calls', to: paths.capitalCalls(), icon: ArrowDownToLine, permission: 'contributions/read' },
    { label: 'Distributions', to: paths.distributions(), icon: ArrowUpFromLine, permission: 'distributions/read' },
    {
      label: 'Documents',
      to: paths.documents(),
      icon: Folder,
      permission: 'funds/read',
      types: ['LP', 'LPGroup'],
    },
    { label: 'Importer', to: paths.importer(), icon: FileUp, permission: 'importer/read' },
  ],
  Communication: [
    { label: 'Announcements', to: paths.announcements(), icon: Megaphone, permission: 'announcements/read' },
    { label: 'Notifications', to: paths.notifications(), icon: Bell, key: 'n', permission: null },
    { label: 'Chats', to: paths.chats(), icon: MessageSquare, permission: null },
    { label: 'Saved filters', to: paths.filters(), icon: Filter, permission: 'funds/read' },
  ],
  Administration: [
    { label: 'Users', to: paths.users(), icon: UserCog, key: 'u', permission: 'users/read' },
    { label: 'Roles', to: paths.roles(), icon: ShieldCheck, permission: 'roles/read' },
    { label: 'Permissions', to: paths.permissions(), icon: Key, permission: 'roles/read' },
    { label: 'Managers', to: paths.managers(), icon: IdCard, permission: 'managers/read' },
    { label: 'Entities', to: paths.entities(), icon: BookUser, permission: 'entities/read' },
    { label: 'Service providers', to: paths.serviceProviders(), icon: Handshake, permission: 'funds/read' },
    { label: 'Currencies', to: paths.currencies(), icon: Coins, permission: 'managers/read' },
    { label: 'Tables', to: paths.tables(), icon: TableIcon, permission: 'tables/read' },
    { label: 'History', to: paths.history(), icon: History, permission: 'history/read' },
    { label: 'Jobs', to: paths.jobs(), icon: ListX, permission: 'managers/read', types: ['admin'] },
    {
      label: 'Held after a restore',
      to: paths.held(),
      icon: MailWarning,
      permission: 'managers/read',
      types: ['admin'],
    },
    { label: 'Mailbox', to: paths.mailbox(), icon: Mail, permission: null, types: ['admin'] },
  ],
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
