import { levelOf } from '@tapeline/db/operations/roles/roles.ts';
import {
  actorToExplain,
  type PermissionSource,
  rowVisibility,
  sourcesOf,
  visibleCounts,
} from '@tapeline/db/operations/users/access-report.ts';
import {
  DOCUMENT_KINDS,
  DOCUMENTS,
  documentsNamed,
  namesOfDocuments,
} from '@tapeline/db/operations/users/named-documents.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type DocumentCollection, documentOf } from '@tapeline/domain/people/access.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { ROLE_LEVELS } from '@tapeline/domain/people/role.schema.ts';
import type { Screen } from '../../../../http/screen.server.ts';
import { areasOf } from '../../areas.ts';
import { explain } from './explanation.ts';

/** The kinds of document that the viewer may read, and so may ask about. */
const kindsFor = ({ actor }: Pick<Screen, 'actor'>) =>
  DOCUMENT_KINDS.filter(([, { permission }]) => can(actor, permission));

/** Why the user sees fewer documents of a collection than the viewer does. */
function whyHidden(source: PermissionSource | undefined, hidden: number, hasBlocks: boolean): string | null {
  if (source && !source.allowed) return 'not for this type of user';
  if (source && !source.held) return source.blocked ? 'permission removed' : 'no permission';
  if (hidden <= 0) return null;
  return hasBlocks ? 'other organizations, or blocked' : 'other organizations';
}

/** What a user can see and do, as the database decides it. */
export async function readAccess(screen: Screen) {
  const { db, context, params, url, actor } = screen;
  const { store } = context;
  const kinds = kindsFor(screen);
  const asked = url.searchParams.get('collection');
  const collection = kinds.find(([name]) => name === asked)?.[0] ?? kinds[0]?.[0] ?? null;
  const search = (url.searchParams.get('find') ?? '').trim();
  const read = await db(async (session) => {
    const user = await getUser(session, params.id ?? '');
    const entries = [...user.exclusiveResources, ...user.inclusiveResources].filter((entry) => documentOf(entry));
    const isAsked = collection !== null && url.searchParams.has('find');
    return {
      user,
      sources: await sourcesOf(session, user),
      names: await namesOfDocuments(session, entries),
      ofViewer: await visibleCounts(session),
      found: isAsked ? await documentsNamed(session, { collection, search }) : null,
    };
  });
  const { user, sources, names, ofViewer, found } = read;
  const acting = await actorToExplain(store, user.id);
  const ofUser = acting ? await store.read(acting, visibleCounts) : null;
  const byKey = new Map(sources.map((source) => [source.key, source]));
  const sourceOf = (name: DocumentCollection): PermissionSource => {
    const source = byKey.get(DOCUMENTS[name].permission);
    if (!source) throw new Error(`The permission ${DOCUMENTS[name].permission} is not Active`);
    return source;
  };
  const chosen =
    found?.documents.find(({ id }) => id === url.searchParams.get('document')) ??
    (found?.documents.length === 1 ? found.documents[0] : undefined);
  const mayChange =
    can(actor, 'users/write') && user.id !== actor.userId && (user.roleLevel ?? ROLE_LEVELS.lowest) >= levelOf(actor);
  const entriesOf = (list: 'exclusiveResources' | 'inclusiveResources') =>
    user[list]
      .filter((entry) => documentOf(entry))
      .map((entry) => ({
        list,
        entry,
        kind: DOCUMENTS[documentOf(entry)!.collection].label,
        name: names.get(entry) ?? 'A document that you cannot see',
      }));
  return {
    id: user.id,
    name: `${user.firstName} ${user.lastName}`,
    firstName: user.firstName,
    email: user.email,
    status: user.status as 'Pending' | 'Active' | 'Disabled' | 'Removed',
    type: user.type,
    organization: user.organization,
    role: user.roleId ? { id: user.roleId, title: user.roleTitle ?? '', level: user.roleLevel } : null,
    lastVisited: user.lastVisited?.toISOString() ?? null,
    version: user.version,
    mayChange,
    groups: areasOf(sources),
    figures: {
      held: sources.filter(({ held }) => held).length,
      all: sources.length,
      fromRole: sources.filter(({ held, inRole, granted }) => held && inRole && !granted).length,
      added: sources.filter(({ held, granted }) => held && granted).map(({ key }) => key),
      removed: sources.filter(({ held, inRole, blocked }) => !held && inRole && blocked).map(({ key }) => key),
    },
    documents: [...entriesOf('exclusiveResources'), ...entriesOf('inclusiveResources')],
    counts: kinds.map(([name, { label }]) => {
      const source = sourceOf(name);
      const visible = source.held && ofUser ? ofUser[name] : 0;
      const hidden = Math.max(0, ofViewer[name] - visible);
      return {
        name,
        label,
        visible,
        hidden,
        why: whyHidden(
          source,
          hidden,
          user.exclusiveResources.some((entry) => documentOf(entry)),
        ),
      };
    }),
    question: {
      collection,
      search,
      collections: kinds.map(([name, { label }]) => ({ value: name, label })),
      found,
      chosen:
        chosen && collection
          ? {
              ...chosen,
              entry: `${collection}/${chosen.id}`,
              isBlocked: user.exclusiveResources.includes(`${collection}/${chosen.id}`),
              isAllowed: user.inclusiveResources.includes(`${collection}/${chosen.id}`),
              ...(acting
                ? explain({
                    firstName: user.firstName,
                    status: user.status,
                    type: user.type,
                    role: user.roleTitle,
                    source: sourceOf(collection),
                    rows: await rowVisibility(store, acting, { collection, id: chosen.id }),
                  })
                : {
                    opens: false,
                    answer: `${user.firstName} cannot sign in.`,
                    reasons: [{ speaks: 'against' as const, text: 'The organization is no longer active.' }],
                  }),
            }
          : null,
    },
  };
}
export type AccessPage = Awaited<ReturnType<typeof readAccess>>;

/** The lists of entries after one is added or removed. @throws Refusal badRequest if there is nothing to remove */
export function changedEntries(
  user: { exclusiveResources: readonly string[]; inclusiveResources: readonly string[] },
  {
    list,
    entry,
    change,
  }: { list: 'exclusiveResources' | 'inclusiveResources'; entry: string; change: 'add' | 'remove' },
) {
  if (change === 'add') return { [list]: [...new Set([...user[list], entry])] };
  if (!user[list].includes(entry)) throw new Refusal('badRequest', 'This entry was already removed');
  return { [list]: user[list].filter((one) => one !== entry) };
}
