import { Link, type UIMatch, useLocation, useMatches } from '@remix-run/react';
import { Fragment } from 'react';
import { shortenName } from '../../figures/format.ts';
import { currentItem, NAVIGATION, NAVIGATION_GROUPS } from '../../navigation.ts';

export interface Crumb {
  label: string;
  /** Left out for the page itself. */
  to?: string;
}

/**
 * A route's own part of the breadcrumb: `export const handle: CrumbHandle<typeof loader> = { crumbs: ({ data }) => [...] }`. The group and
 * the rail's item come by themselves.
 */
export interface CrumbHandle<Data = unknown> {
  crumbs?: (match: { data: Data; params: Record<string, string | undefined> }) => readonly Crumb[];
}

/** Group, rail item, then what the routes say of themselves. */
export function crumbsOf(pathname: string, matches: readonly UIMatch[]): Crumb[] {
  const item = currentItem(
    pathname,
    NAVIGATION_GROUPS.flatMap((name) => NAVIGATION[name]),
  );
  const group = NAVIGATION_GROUPS.find((name) => item && NAVIGATION[name].includes(item));
  const own = matches.flatMap((match) => {
    const handle = match.handle as CrumbHandle | undefined;
    // Where a loader failed there is nothing to name the page by.
    return match.data === undefined && match.id !== 'root'
      ? []
      : (handle?.crumbs?.({ data: match.data, params: match.params }) ?? []);
  });
  return [...(group ? [{ label: group }] : []), ...(item ? [{ label: item.label, to: item.to }] : []), ...own];
}

export function Breadcrumb() {
  const { pathname } = useLocation();
  const crumbs = crumbsOf(pathname, useMatches());
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
