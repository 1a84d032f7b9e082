import { redirect } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { countApprovals } from '@tapeline/db/operations/approvals/approvals.ts';
import { type ListedView, listGridViews } from '@tapeline/db/operations/grid-views/grid-views.ts';
import { listGroupFilters } from '@tapeline/db/operations/group-filters/group-filters.ts';
import { countUnread } from '@tapeline/db/operations/notifications/notifications.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { UnsavedWorkGuard } from '../../components/forms/unsaved-work.tsx';
import { addressOfView, gridAt, isPlainAddress } from '../../components/grid/grid-addresses.ts';
import { ErrorScreen } from '../../components/page/error-screen.tsx';
import { AppShell } from '../../components/shell/app-shell.tsx';
import { accountOf, reachable } from '../../components/shell/navigation.ts';
import type { ShellData } from '../../components/shell/shell-data.ts';
import { canChoose } from '../../http/acting-for.server.ts';
import { chosenFilter, isNarrowed } from '../../http/narrowing.server.ts';
import { isRailFolded, themeOf } from '../../http/preferences.server.ts';
import { readScreen, type Screen } from '../../http/screen.server.ts';
import { heldChoice } from '../../http/session.server.ts';

const MAX_FILTERS = 100;

/** The saved filters that can narrow the page. */
async function filtersOf(
  session: ReadSession,
  { actor, context, request, url }: Screen,
): Promise<Pick<ShellData, 'filters' | 'filter'>> {
  if (!isNarrowed(url)) return { filters: [], filter: null };
  const { documents } = await listGroupFilters(session, { sort: { title: 1 }, limit: MAX_FILTERS });
  const filters = documents.map(({ id, title }) => ({ id, title }));
  const chosen = chosenFilter(request, context);
  return { filters, filter: actor.within ? chosen : null };
}

/** The saved views of the page's grid. A page whose address asks for nothing opens with the user's default view. */
async function viewsOf(session: ReadSession, { url }: Screen): Promise<ListedView[]> {
  const grid = gridAt(url);
  if (!grid) return [];
  const views = await listGridViews(session, grid);
  const first = views.find(({ isDefault }) => isDefault);
  if (first && isPlainAddress(url)) throw redirect(addressOfView(first, url));
  return views;
}

/** The frame of every signed-in screen. It contains the routes in `SIGNED_IN_SCREENS` of `routes.ts`. */
export const loader = readScreen(null, async (screen): Promise<ShellData> => {
  const { actor, request, context } = screen;
  const { firstName, lastName, email, roleTitle, type } = actor;
  // One round trip, on every page.
  const [unread, approvals, filters, views] = await context.store.read(actor, (session) =>
    Promise.all([countUnread(session), countApprovals(session), filtersOf(session, screen), viewsOf(session, screen)]),
  );
  return {
    person: { firstName, lastName, email, roleTitle, type },
    tenant: actor.assocTitle,
    canChooseTenant: canChoose(actor, heldChoice(request, context)),
    account: accountOf(actor),
    items: reachable(actor, context.screenPaths),
    unread,
    approvals,
    ...filters,
    views,
    isPartial: actor.blockedDocuments.length > 0,
    isRailFolded: isRailFolded(request, context),
    theme: themeOf(request, context),
  };
});

export default function App() {
  return (
    <AppShell shell={useLoaderData<typeof loader>()}>
      <UnsavedWorkGuard>
        <Outlet />
      </UnsavedWorkGuard>
    </AppShell>
  );
}

export { ErrorScreen as ErrorBoundary };
