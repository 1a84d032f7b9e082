import { Link, type UIMatch, useLocation, useMatches } from '@remix-run/react';
import type { UserType } from '@tapeline/domain/people/actor.ts';
import { Fragment } from 'react';
import { shortenName } from '../figures/format.ts';
import { type Crumb, crumbsOfRoutes } from '../page/page-name.ts';
import { currentItem, NAVIGATION, NAVIGATION_GROUPS } from './navigation.ts';
import { useShell } from './shell-data.ts';

/** Returns the group, the rail item if this type of user has it, and then the crumbs of the routes. */
function crumbsOf(pathname: string, matches: readonly UIMatch[], type: UserType): Crumb[] {
  const item = currentItem(
    pathname,
    NAVIGATION_GROUPS.flatMap((name) => NAVIGATION[name]).filter(({ types }) => types?.includes(type) ?? true),
  );
  const group = NAVIGATION_GROUPS.find((name) => item && NAVIGATION[name].includes(item));
  return [
    ...(group ? [{ label: group }] : []),
    ...(item ? [{ label: item.label, to: item.to }] : []),
    ...crumbsOfRoutes(matches),
  ];
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
