import { useRouteLoaderData } from '@remix-run/react';
import type { ListedView } from '@tapeline/db/operations/grid-views/grid-views.ts';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import type { Theme } from '../../http/theme.ts';
import type { Account } from './navigation.ts';

/** The id of the route that renders the shell. See routes.ts. */
export const SHELL_ROUTE = 'shell';

/** What the frame of a signed-in page shows. */
export interface ShellData {
  person: { firstName: string; lastName: string; email: string; roleTitle: string | null; type: UserType };
  /** The tenant that the user acts for. Null for an admin who has not chosen a manager. */
  tenant: string | null;
  /** Whether the user can choose another tenant, or another of their investors. */
  canChooseTenant: boolean;
  /** Whose navigation the user has. */
  account: Account;
  /** Addresses of the screens of the navigation that the user can read. */
  items: string[];
  /** Notifications that the user has not read. */
  unread: number;
  /** Requests that wait for the user's decision. */
  approvals: number;
  /** The user's saved filters on a page that they narrow, and the chosen one. */
  filters: { id: string; title: string }[];
  filter: string | null;
  /** The saved views of the page's grid. */
  views: ListedView[];
  /** Whether documents are blocked for the user, so that figures cover only a part. */
  isPartial: boolean;
  isRailFolded: boolean;
  theme: Theme;
}

/** Returns the shell's data on any signed-in screen. */
export function useShell(): ShellData {
  const shell = useRouteLoaderData(SHELL_ROUTE) as ShellData | undefined;
  if (!shell) throw new Error('useShell is for screens within the shell');
  return shell;
}
