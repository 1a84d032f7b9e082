import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { listEntities } from '@tapeline/db/operations/entities/entities.ts';
import { listHistory } from '@tapeline/db/operations/history/history.ts';
import { listHeldItems } from '@tapeline/db/operations/holds/holds.ts';
import { listImportDrafts } from '@tapeline/db/operations/importer/drafts.ts';
import { listImports } from '@tapeline/db/operations/importer/imports.ts';
import { KEPT_DAYS, listJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { activePermissions } from '@tapeline/db/operations/permissions/permissions.ts';
import { listRoles } from '@tapeline/db/operations/roles/roles.ts';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import { listTables } from '@tapeline/db/operations/tables/tables.ts';
import { listUsers } from '@tapeline/db/operations/users/users.ts';
import { asProgram, type Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { calendarDateOf, formatCalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../components/figures/format.ts';
import { accountOf, reachable, SETTINGS_ITEMS, usable } from '../../components/shell/navigation.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { draftName, draftTo } from '../importer/draft-links.ts';

/** A figure of a card: "11" "colleagues". */
export interface SettingCount {
  readonly value: string;
  readonly noun: string;
}

export interface Attention {
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  readonly action: string;
}

export interface FoundSettings {
  readonly label: string;
  readonly results: readonly { readonly title: string; readonly detail: string | null; readonly to: string }[];
}

const HISTORY_DAYS = 30;
/** Results of each kind that a search of the settings shows. */
const MAX_FOUND = 10;
const MAX_ATTENTION = 5;
const MAX_LETTERS = 100;

type Listing = (session: Session, query: { filter?: object; limit: number }) => Promise<{ total: number }>;

/** How many documents a list has; none for whoever may not read them. */
async function counted(
  session: Session,
  [permission, list, one, many]: readonly [PermissionKey, Listing, one: string, many: string],
  filter?: object,
): Promise<SettingCount[]> {
  if (!can(session.actor, permission)) return [];
  const { total } = await list(session, { ...(filter ? { filter } : {}), limit: 1 });
  return [countOf(total, one, many)];
}

/** A figure and its noun, which are shown apart. */
function countOf(total: number, one: string, many: string): SettingCount {
  const words = formatCount(total, one, many);
  const at = words.indexOf(' ');
  return { value: words.slice(0, at), noun: words.slice(at + 1) };
}

/** What the cards count, by the first address of the card. */
const COUNTS: Readonly<Record<string, (session: Session) => Promise<SettingCount[]>>> = {
  [paths.users()]: async (session) => [
    ...(await counted(session, ['users/read', listUsers, 'colleague', 'colleagues'], { type: 'manager' })),
    ...(await counted(session, ['users/read', listUsers, 'portal user', 'portal users'], {
      type: { in: ['company', 'LP', 'LPGroup'] },
    })),
    ...(await counted(session, ['roles/read', listRoles, 'role', 'roles'])),
  ],
  [paths.entities()]: async (session) => [
    ...(await counted(session, ['entities/read', listEntities, 'entity', 'entities'])),
    ...(await counted(session, ['companies/read', listCompanies, 'borrower', 'borrowers'])),
    ...(await counted(session, ['entities/read', listServiceProviders, 'provider', 'providers'])),
  ],
  [paths.importer()]: async (session) => [
    countOf((await listImports(session, { skip: 0, limit: 1 })).total, 'import', 'imports'),
  ],
  [paths.currencies()]: async (session) => {
    const { rates, lastUpdate } = await currencyRates(session);
    const others = Object.keys(rates).filter((code) => code !== 'USD').length;
    if (others === 0) return [];
    return [
      countOf(others + 1, 'currency', 'currencies'),
      ...(lastUpdate ? [{ value: formatCalendarDate(lastUpdate.slice(0, 10)), noun: 'latest rates' }] : []),
    ];
  },
  [paths.tables()]: (session) => counted(session, ['tables/read', listTables, 'list', 'lists']),
  [paths.history()]: (session) => {
    const today = toEpochDay(todayOf(session));
    const since = `${fromEpochDay(today - HISTORY_DAYS)}T00:00:00.000Z`;
    const noun = (changes: string) => `${changes} in ${HISTORY_DAYS} days`;
    return counted(session, ['history/read', listHistory, noun('change'), noun('changes')], {
      changedAt: { gte: since },
    });
  },
  [paths.permissions()]: async (session) => [
    countOf((await activePermissions(session)).length, 'permission', 'permissions'),
  ],
};

/** What is known to need somebody: imports that were prepared and not started, and for administrators failures. */
async function attentionOf({ actor, db }: Screen): Promise<Attention[]> {
  if (actor.type === 'admin' && actor.managerId === null) {
    if (!can(actor, 'managers/read')) return [];
    return db(async (session) => {
      const failures = await asProgram(session, () => listJobFailures(session));
      const held = await listHeldItems(session, { skip: 0, limit: 1 });
      return [
        ...(failures.length > 0
          ? [
              {
                title: formatCount(failures.length, 'failed job'),
                detail: `In the last ${KEPT_DAYS} days, and not tried again`,
                to: paths.jobs(),
                action: 'Open',
              },
            ]
          : []),
        ...(held.total > 0
          ? [
              {
                title: formatCount(held.total, 'held email'),
                detail: 'A backup was restored before they were sent',
                to: paths.held(),
                action: 'Decide',
              },
            ]
          : []),
      ];
    });
  }
  if (!can(actor, 'importer/write') || actor.managerId === null) return [];
  const drafts = await db(listImportDrafts);
  return drafts.map(({ id, content, changedAt }) => ({
    title: `${draftName(content)} ${content.sheet || content.pdfs.length === 1 ? 'is' : 'are'} not imported`,
    detail: `${KIND_TITLES[content.kind].title}, last changed on ${formatCalendarDate(calendarDateOf(changedAt))}`,
    to: draftTo(id, content.kind),
    action: 'Continue',
  }));
}

/** People, roles, lists and entities whose name contains the text. */
async function findNamed(session: Session, find: string): Promise<FoundSettings[]> {
  const has = { like: containing(find) };
  const { actor } = session;
  const found: FoundSettings[] = [];
  if (can(actor, 'users/read')) {
    const filter = { $or: [{ name: has }, { email: has }] };
    const { documents } = await listUsers(session, { filter, sort: { name: 1 }, limit: MAX_FOUND });
    found.push({
      label: 'People',
      results: documents.map(({ id, firstName, lastName, email }) => ({
        title: `${firstName} ${lastName}`,
        detail: email,
        to: paths.user(id),
      })),
    });
  }
  if (can(actor, 'roles/read')) {
    const { documents } = await listRoles(session, { filter: { title: has }, sort: { title: 1 }, limit: MAX_FOUND });
    found.push({
      label: 'Roles',
      results: documents.map(({ id, title }) => ({ title, detail: null, to: paths.role(id) })),
    });
  }
  if (can(actor, 'tables/read')) {
    const { documents } = await listTables(session, { filter: { name: has }, sort: { name: 1 }, limit: MAX_FOUND });
    found.push({
      label: 'Lists',
      results: documents.map(({ id, name }) => ({ title: name, detail: null, to: paths.table(id) })),
    });
  }
  if (can(actor, 'entities/read')) {
    const { documents } = await listEntities(session, { filter: { name: has }, sort: { name: 1 }, limit: MAX_FOUND });
    found.push({
      label: 'Entities',
      results: documents.map(({ id, name }) => ({ title: name, detail: null, to: paths.entity(id) })),
    });
  }
  return found.filter(({ results }) => results.length > 0);
}

/** The settings that the user may use, with what they count; and what a search finds among them. */
export async function readSettings(screen: Screen) {
  const { actor, context, db, url } = screen;
  const find = (url.searchParams.get('find') ?? '').trim().slice(0, MAX_LETTERS);
  const items = usable(SETTINGS_ITEMS[accountOf(actor)], reachable(actor, context.screenPaths));
  const wanted = find.toLowerCase();
  const shown = items.filter(({ label, about = '', screens }) =>
    [label, about, ...screens.map((screen) => screen.label)].some((text) => text.toLowerCase().includes(wanted)),
  );
  const attention = find === '' ? await attentionOf(screen) : [];
  return {
    find,
    attention: attention.slice(0, MAX_ATTENTION),
    attentionTotal: attention.length,
    cards: await db(async (session) => {
      const cards = [];
      for (const { label, about = '', to } of shown) {
        cards.push({ label, about, to, counts: (await COUNTS[to]?.(session)) ?? [] });
      }
      return cards;
    }),
    found: find === '' ? [] : await db((session) => findNamed(session, find)),
  };
}
