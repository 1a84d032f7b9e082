import { getGroupFilter } from '@tapeline/db/operations/group-filters/group-filters.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { paths } from '../paths.ts';
import type { RequestContext } from './context.ts';
import { parseCookies } from './cookies.server.ts';
import { cookieNames } from './session.server.ts';

const GRIDS = ['funds', 'main-funds', 'investors', 'capital-calls', 'distributions'] as const;

/** The pages that a saved filter narrows, with the addresses that their grids read. */
const NARROWED: ReadonlySet<string> = new Set([
  paths.home(),
  paths.funds(),
  paths.mainFunds(),
  paths.investors(),
  paths.capitalCalls(),
  paths.distributions(),
  paths.cash(),
  ...GRIDS.map(paths.gridRows),
]);

export const isNarrowed = ({ pathname }: URL): boolean => NARROWED.has(pathname);

/** The saved filter that this browser has chosen; null for none. */
export function chosenFilter(request: Request, context: RequestContext): string | null {
  const held = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).groupFilter];
  return held !== undefined && isId(held) ? held : null;
}

/** The actor within the chosen filter, on the pages that it narrows. A filter that is gone narrows nothing. */
export async function withinFilter(actor: UserActor, request: Request, context: RequestContext): Promise<UserActor> {
  const id = isNarrowed(new URL(request.url)) ? chosenFilter(request, context) : null;
  if (id === null) return actor;
  try {
    const { fundIds, investorIds } = await context.store.as(actor, (session) => getGroupFilter(session, id));
    return { ...actor, within: { funds: fundIds, investors: investorIds } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return actor;
  }
}
