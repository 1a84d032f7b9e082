import { kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import { EVENT_KINDS } from '@tapeline/domain/calendar/calendar-event.ts';
import type { MenuSection } from '@tapeline/domain/collections/collection.ts';
import { EVERY_COLLECTION, titleOfCollection } from '@tapeline/domain/collections/collections.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import {
  Activity,
  ArrowDownUp,
  Bell,
  BriefcaseBusiness,
  Building2,
  CalendarDays,
  CircleCheck,
  Coins,
  FileSpreadsheet,
  FileUp,
  Folder,
  HandCoins,
  HeartPulse,
  History,
  House,
  IdCard,
  Key,
  Landmark,
  List,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageCircleQuestion,
  Settings,
  Undo2,
  UserCheck,
  UserCog,
  UserRound,
  Users,
  Wallet,
} from 'lucide-react';
import { paths } from '../../paths.ts';

/** What a user has the navigation of. An administrator who acts for a manager has that of the manager. */
export type Account = 'manager' | 'borrower' | 'investor' | 'administrator';

/** A screen that an item of the navigation holds. Several screens of one item are its tabs. */
export interface NavigationScreen {
  readonly label: string;
  readonly to: string;
  /** The addresses below which the pages of the screen are, if they are not below its own. */
  readonly pages?: readonly string[];
  /** The key to press after `g`. */
  readonly key?: string;
  /** The required permission. Null for every signed-in user. */
  readonly permission: PermissionKey | null;
  /** Only for those for whom it is true. */
  readonly isFor?: (actor: UserActor) => boolean;
}

export interface NavigationItem {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly screens: readonly NavigationScreen[];
  /** What a card of the settings says about it. */
  readonly about?: string;
  /** What the bottom bar of a phone calls it, if its label is too long. */
  readonly shortLabel?: string;
}

interface NavigationGroup {
  /** Null for items without a heading. */
  readonly label: string | null;
  readonly items: readonly NavigationItem[];
  /** Whether the group is at the bottom of the rail. */
  readonly isLast?: true;
}

/**
 * Lists that another page leads to: facilities are found on the page that shows what each of them may draw, main funds
 * among the funds, and the figures of borrowers on the page of the covenants that read them.
 */
const FOUND_ON: Readonly<Record<string, string>> = {
  [paths.transactions()]: paths.monitoring(),
  [paths.mainFunds()]: paths.funds(),
  [paths.facilityFigures()]: paths.covenants(),
};

/** The lists of an item, by rank. Those that are found on one page are one screen. */
function listsOf(section: MenuSection): NavigationScreen[] {
  const lists = EVERY_COLLECTION.flatMap(([, collection]) => {
    const { menu, list, page = list, read } = collection;
    if (menu?.section !== section || !list || !page) return [];
    const screen = { to: FOUND_ON[list] ?? list, pages: [...new Set([list, page])], permission: read };
    return [{ ...menu, ...screen, label: titleOfCollection(collection) }];
  }).toSorted((one, other) => one.rank - other.rank);
  return [...Map.groupBy(lists, ({ to }) => to).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, pages: [...first.pages, ...others.flatMap(({ pages }) => pages)] }] : [],
  );
}

/** An item that holds the lists of a section, and its other screens after them. */
const itemOf = (section: MenuSection, icon: LucideIcon, more: Partial<NavigationItem> = {}): NavigationItem => ({
  label: section,
  icon,
  ...more,
  screens: [...listsOf(section), ...(more.screens ?? [])],
});

/** An item of one screen. */
const screenItem = (icon: LucideIcon, screen: NavigationScreen, about?: string): NavigationItem => ({
  label: screen.label,
  icon,
  screens: [screen],
  ...(about ? { about } : {}),
});

/** An item of one list. */
const listItem = (icon: LucideIcon, section: MenuSection, address: string): NavigationItem => {
  const screen = listsOf(section).find(({ to }) => to === address);
  if (!screen) throw new Error(`${section} has no list at ${address}`);
  return screenItem(icon, screen);
};

const HOME = screenItem(House, { label: 'Home', to: paths.home(), key: 'h', permission: null });
const APPROVALS = screenItem(CircleCheck, {
  label: 'Approvals',
  to: paths.approvals(),
  key: 'v',
  permission: null,
  isFor: (actor) => kindsDecidedBy(actor).length > 0,
});
const CALENDAR = screenItem(CalendarDays, {
  label: 'Calendar',
  to: paths.calendar(),
  key: 'l',
  permission: null,
  isFor: (actor) => Object.values(EVENT_KINDS).some((permission) => can(actor, permission)),
});
const MONITORING = itemOf('Monitoring', Activity);
const TAPES = itemOf('Loan tapes', FileSpreadsheet, {
  screens: [
    {
      label: 'The same loan twice',
      to: paths.duplicates(),
      permission: 'assets/read',
      // A borrower does not see the loans of the others.
      isFor: ({ type }) => type !== 'company',
    },
  ],
});
const FUNDS = itemOf('Funds', BriefcaseBusiness);
const INVESTORS = itemOf('Investors', Users);
const CAPITAL = itemOf('Capital activity', ArrowDownUp);
const ANNOUNCEMENTS = itemOf('Announcements', Megaphone);
const ASK: NavigationItem = {
  label: 'Ask',
  icon: MessageCircleQuestion,
  screens: [
    { label: 'Chats', to: paths.chats(), key: 'q', permission: null },
    { label: 'Saved filters', to: paths.filters(), permission: 'funds/read' },
    { label: 'Views', to: paths.views(), permission: null },
  ],
};
const FUND_DOCUMENTS: NavigationScreen = {
  label: 'Fund documents',
  to: paths.documents(),
  permission: 'funds/read',
};
const FACILITY_DOCUMENTS: NavigationScreen = {
  label: 'Facility documents',
  to: paths.facilityDocuments(),
  // A document has its address below that of the fund documents, which some readers of facilities lack.
  pages: [paths.facilityDocuments(), paths.documents()],
  permission: 'transactions/read',
};
const documentsItem = (...screens: NavigationScreen[]): NavigationItem => ({
  label: 'Documents',
  icon: Folder,
  screens,
});
const SETTINGS = screenItem(Settings, { label: 'Settings', to: paths.settings(), key: 's', permission: null });
const MANAGERS = itemOf('Managers', IdCard);
const PEOPLE = itemOf('People and access', UserCog, { about: 'Who can sign in, and what each role can see and do' });
const ORGANIZATIONS = itemOf('Organizations', Building2, {
  about: 'Legal entities with their bank details, and service providers',
});

/** What a borrower has of the lists of facilities; it has the others as items of their own. */
const FACILITIES: NavigationItem = {
  ...listItem(Activity, 'Monitoring', paths.monitoring()),
  screens: MONITORING.screens.filter(({ to }) =>
    [paths.monitoring(), paths.covenants(), paths.deliverables()].includes(to),
  ),
};

/** The rail of each kind of account, in display order. */
export const NAVIGATION: Readonly<Record<Account, readonly NavigationGroup[]>> = {
  manager: [
    { label: null, items: [HOME, APPROVALS, CALENDAR] },
    { label: 'Lending', items: [MONITORING, TAPES, itemOf('Borrowers', Landmark)] },
    {
      label: 'Funds',
      items: [
        FUNDS,
        INVESTORS,
        CAPITAL,
        screenItem(Wallet, { label: 'Cash', to: paths.cash(), permission: 'contributions/read' }),
      ],
    },
    { label: null, items: [documentsItem(FUND_DOCUMENTS, FACILITY_DOCUMENTS), ANNOUNCEMENTS, ASK] },
    { label: null, items: [SETTINGS], isLast: true },
  ],
  borrower: [
    {
      label: null,
      items: [
        HOME,
        FACILITIES,
        TAPES,
        listItem(HandCoins, 'Monitoring', paths.draws()),
        listItem(Undo2, 'Monitoring', paths.repayments()),
        documentsItem(FACILITY_DOCUMENTS),
        CALENDAR,
        ANNOUNCEMENTS,
        ASK,
      ],
    },
  ],
  investor: [
    {
      label: null,
      items: [
        HOME,
        { label: 'Commitments', icon: BriefcaseBusiness, screens: [...FUNDS.screens, ...INVESTORS.screens] },
        {
          ...CAPITAL,
          label: 'Calls and distributions',
          shortLabel: 'Calls',
          screens: [...CAPITAL.screens, ...CALENDAR.screens],
        },
        documentsItem(FUND_DOCUMENTS),
        ANNOUNCEMENTS,
        ASK,
      ],
    },
  ],
  administrator: [
    {
      label: null,
      items: [
        HOME,
        MANAGERS,
        { ...PEOPLE, label: 'People' },
        ORGANIZATIONS,
        {
          label: 'Health',
          icon: HeartPulse,
          screens: [
            { label: 'Failed jobs', to: paths.jobs(), permission: 'managers/read' },
            { label: 'Emails', to: paths.held(), permission: 'managers/read' },
          ],
        },
      ],
    },
    { label: null, items: [SETTINGS], isLast: true },
  ],
};

const PERMISSIONS = screenItem(
  Key,
  { label: 'Permissions', to: paths.permissions(), permission: 'roles/read' },
  'What roles can be allowed to see and do',
);
const LISTED_SETTINGS: readonly NavigationItem[] = [
  itemOf('Data import', FileUp, { about: 'Load investors, commitments, calls and NAVs from files, checked first' }),
  screenItem(
    Coins,
    { label: 'Currencies and rates', to: paths.currencies(), permission: 'managers/read' },
    'Currencies, and the exchange rate of each day',
  ),
  itemOf('Lists', List, { about: 'Call purposes, fee kinds, industries, base rates and other choices' }),
  screenItem(
    History,
    { label: 'History', to: paths.history(), permission: 'history/read' },
    'Every change, who made it and when, with the value before',
  ),
  PERMISSIONS,
];

/** What the settings lead to, besides what the rail of the account has. */
export const SETTINGS_ITEMS: Readonly<Record<Account, readonly NavigationItem[]>> = {
  manager: [
    PEOPLE,
    { ...ORGANIZATIONS, screens: [...ORGANIZATIONS.screens, ...MANAGERS.screens] },
    screenItem(
      UserCheck,
      { label: 'Second person', to: paths.secondPerson(), permission: 'roles/read' },
      'When a call or distribution is issued by somebody else than who prepared it',
    ),
    ...LISTED_SETTINGS,
  ],
  borrower: [],
  investor: [],
  administrator: [
    ...LISTED_SETTINGS,
    screenItem(
      Mail,
      { label: 'Mailbox', to: paths.mailbox(), permission: null },
      'The emails of this installation. It does not exist in production.',
    ),
  ],
};

/** What everybody reaches from the top bar and the menu of the user. */
const EVERYBODY: readonly NavigationItem[] = [
  screenItem(Bell, { label: 'Notifications', to: paths.notifications(), key: 'n', permission: null }),
  screenItem(UserRound, { label: 'Account', to: paths.account(), key: 'a', permission: null }),
];

export const accountOf = ({ type, managerId }: Pick<UserActor, 'type' | 'managerId'>): Account => {
  if (type === 'admin') return managerId === null ? 'administrator' : 'manager';
  if (type === 'manager') return 'manager';
  return type === 'company' ? 'borrower' : 'investor';
};

const railItems = (account: Account): NavigationItem[] => NAVIGATION[account].flatMap(({ items }) => items);

/** Every item of an account, those of the rail first. */
export const itemsOfAccount = (account: Account): NavigationItem[] => [
  ...railItems(account),
  ...SETTINGS_ITEMS[account],
  ...EVERYBODY,
];

/** Addresses of the screens of the actor's navigation that exist and that the actor can read. */
export function reachable(actor: UserActor, screenPaths: readonly string[]): string[] {
  const screens = itemsOfAccount(accountOf(actor)).flatMap((item) => item.screens);
  return screens
    .filter(({ to, permission }) => screenPaths.includes(to) && (permission === null || can(actor, permission)))
    .filter(({ isFor }) => isFor === undefined || isFor(actor))
    .map(({ to }) => to);
}

/** What a user has of the navigation: the kind of account, and the addresses of the screens that the user can read. */
export interface Reach {
  readonly account: Account;
  readonly items: readonly string[];
}

/** An item with the screens that the user can read, and where it leads: to the first of them. */
export interface UsableItem extends NavigationItem {
  readonly to: string;
}

export const usable = (items: readonly NavigationItem[], reach: readonly string[]): UsableItem[] =>
  items.flatMap((item) => {
    const screens = item.screens.filter(({ to }) => reach.includes(to));
    return screens[0] ? [{ ...item, screens, to: screens[0].to }] : [];
  });

/** The groups of the rail with the items that the user can use. A group without items is omitted. */
export const railOf = ({ account, items }: Reach) =>
  NAVIGATION[account]
    .map((group) => ({ ...group, items: usable(group.items, items) }))
    .filter((group) => group.items.length > 0);

/** How many items the bottom bar of a phone has besides "More". */
const PHONE_ITEMS = 4;
/** The items of managers that it shows first; other accounts have the first of their rail. */
const FIRST_ON_PHONE: readonly string[] = [HOME, APPROVALS, MONITORING, FUNDS].map(({ label }) => label);

/** The items of the rail that the bottom bar of a phone shows, in the order of the rail. */
export function phoneItems(account: Account, items: readonly UsableItem[]): UsableItem[] {
  const isFirst = ({ label }: UsableItem) => account !== 'manager' || FIRST_ON_PHONE.includes(label);
  const shown = [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))].slice(0, PHONE_ITEMS);
  return items.filter((item) => shown.includes(item));
}

interface Found {
  /** The heading of its group in the rail; null if it has none. */
  readonly group: string | null;
  /** The item of the rail that the address belongs to. */
  readonly item: UsableItem;
  /** The item of the settings that the address belongs to, if it is one of these. */
  readonly setting: UsableItem | null;
  readonly screen: NavigationScreen;
}

/** How many letters of the address a screen has; 0 if the address does not belong to it. */
const letters = (pathname: string, { to, pages = [to] }: NavigationScreen): number =>
  to === pathname
    ? to.length
    : Math.max(0, ...pages.map((page) => (`${pathname}/`.startsWith(`${page}/`) ? page.length : 0)));

/** Where the address belongs in the navigation of the user: to the screen that has the most of it. */
export function findScreen(pathname: string, { account, items }: Reach): Found | null {
  const groups = railOf({ account, items });
  const settings = groups.flatMap((group) => group.items).find(({ to }) => to === paths.settings());
  const all: Found[] = [
    ...groups.flatMap(({ label, items: listed }) =>
      listed.flatMap((item) => item.screens.map((screen) => ({ group: label, item, setting: null, screen }))),
    ),
    ...(settings
      ? usable(SETTINGS_ITEMS[account], items).flatMap((setting) =>
          setting.screens.map((screen) => ({ group: null, item: settings, setting, screen })),
        )
      : []),
  ];
  const [best] = all
    .map((found) => ({ found, length: letters(pathname, found.screen) }))
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length);
  return best?.found ?? null;
}

const everythingOf = (account: Account): Reach => ({
  account,
  items: itemsOfAccount(account).flatMap(({ screens }) => screens.map(({ to }) => to)),
});

/** The same for a page that other pages lead to and that the navigation of the user lacks: where others have it. */
export const findPage = (pathname: string, reach: Reach): Found | null =>
  findScreen(pathname, reach) ??
  findScreen(pathname, everythingOf('manager')) ??
  findScreen(pathname, everythingOf('administrator'));
