import { useRouteLoaderData } from '@remix-run/react';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import type { Theme } from './theme.ts';

/** What the frame of a signed-in page shows. */
export interface ShellData {
  person: { firstName: string; lastName: string; email: string; roleTitle: string | null; type: UserType };
  /** Whom one acts for; null for an admin who has chosen no manager. */
  tenant: string | null;
  /** Addresses of the rail's items. */
  items: string[];
  isRailFolded: boolean;
  theme: Theme;
}

/** The shell's data, on any signed-in screen. */
export function useShell(): ShellData {
  const shell = useRouteLoaderData('routes/_app') as ShellData | undefined;
  if (!shell) throw new Error('useShell is for screens within routes/_app');
  return shell;
}
