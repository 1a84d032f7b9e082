import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { ErrorScreen } from '../components/page/error-screen.tsx';
import { AppShell } from '../components/shell/app-shell.tsx';
import { reachable } from '../navigation.ts';
import { isRailFolded, themeOf } from '../preferences.server.ts';
import { readScreen } from '../screen.server.ts';
import type { ShellData } from '../shell-data.ts';

/** The frame of every signed-in screen; a route whose file name begins with `_app.` stands in it. */
export function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  return readScreen(args, null, ({ actor }): ShellData => {
    const { firstName, lastName, email, roleTitle, type } = actor;
    return {
      person: { firstName, lastName, email, roleTitle, type },
      tenant: actor.assocTitle,
      items: reachable(actor, context.screenPaths),
      isRailFolded: isRailFolded(request, context),
      theme: themeOf(request, context),
    };
  });
}

export default function App() {
  return (
    <AppShell shell={useLoaderData<typeof loader>()}>
      <Outlet />
    </AppShell>
  );
}

export { ErrorScreen as ErrorBoundary };
