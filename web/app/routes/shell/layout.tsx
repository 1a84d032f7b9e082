import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { countUnread } from '@tapeline/db/operations/notifications/notifications.ts';
import { UnsavedWorkGuard } from '../../components/forms/unsaved-work.tsx';
import { ErrorScreen } from '../../components/page/error-screen.tsx';
import { AppShell } from '../../components/shell/app-shell.tsx';
import { reachable } from '../../components/shell/navigation.ts';
import type { ShellData } from '../../components/shell/shell-data.ts';
import { canChoose } from '../../http/acting-for.server.ts';
import { isRailFolded, themeOf } from '../../http/preferences.server.ts';
import { readScreen } from '../../http/screen.server.ts';
import { heldChoice } from '../../http/session.server.ts';

/** The frame of every signed-in screen. It contains the routes in `SIGNED_IN_SCREENS` of `routes.ts`. */
export function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  return readScreen(args, null, async ({ actor }): Promise<ShellData> => {
    const { firstName, lastName, email, roleTitle, type } = actor;
    return {
      person: { firstName, lastName, email, roleTitle, type },
      tenant: actor.assocTitle,
      canChooseTenant: canChoose(actor, heldChoice(request, context)),
      items: reachable(actor, context.screenPaths),
      unread: await context.store.read(actor, countUnread),
      isRailFolded: isRailFolded(request, context),
      theme: themeOf(request, context),
    };
  });
}

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
