import { Link, type UIMatch, useLocation, useMatches } from '@remix-run/react';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import { Fragment } from 'react';
import { shortenName } from '../figures/format.ts';
import { currentItem, NAVIGATION, NAVIGATION_GROUPS } from './navigation.ts';
import { useShell } from './shell-data.ts';

export interface Crumb {
  label: string;
  /** Omitted for the page itself. */
  to?: string;
}

/**
 * A route's own part of the breadcrumb. The group and the rail's item are added automatically.
 * @example export const handle: CrumbHandle<typeof loader> = { crumbs: ({ data }) => [...] };
 */
export interface CrumbHandle<Data = unknown> {
  crumbs?: (match: { data: Data; params: Record<string, string | undefined> }) => readonly Crumb[];
}

/** Returns the group, the rail item if this type of user has it, and then the crumbs of the routes. */
function crumbsOf(pathname: string, matches: readonly UIMatch[], type: UserType): Crumb[] {
  const item = currentItem(
    pathname,
    NAVIGATION_GROUPS.flatMap((name) => NAVIGATION[name]).filter(({ types }) => types?.includes(type) ?? true),
  );
  const group = NAVIGATION_GROUPS.find((name) => item && NAVIGATION[name].includes(item));
  const own = matches.flatMap((match) => {
    const handle = match.handle as CrumbHandle | undefined;
    // If a loader failed, or an action failed and the loader never ran, there is no data to name the page with.
    return match.data == null && match.id !== 'root'
      ? []
      : (handle?.crumbs?.({ data: match.data, params: match.params }) ?? []);
  });
  return [...(group ? [{ label: group }] : []), ...(item ? [{ label: item.label, to: item.to }] : []), ...own];
}

export function Breadcrumb() {
  const { pathname } = useLocation();
  const { person } = useShell();
  const crumbs = crumbsOf(pathname, useMatches(), person.type);
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex items-center gap-2 overflow-hidden whitespace-nowrap">
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <Fragment key={`${crumb.label}-${crumb.to ?? ''}`}>
              {index > 0 ? (
                <li aria-hidden="true" className="text-ink-3 max-md:hidden">
                  /
                </li>
              ) : null}
              <li
                className={isLast ? 'min-w-0 truncate text-ink' : 'max-md:hidden'}
                aria-current={isLast ? 'page' : undefined}
              >
                {crumb.to && !isLast ? (
                  <Link to={crumb.to} className="hover:text-ink" title={crumb.label}>
                    {shortenName(crumb.label)}
                  </Link>
                ) : (
                  <span title={crumb.label}>{shortenName(crumb.label)}</span>
                )}
              </li>
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}
