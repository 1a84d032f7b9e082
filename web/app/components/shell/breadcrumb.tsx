import { Link, type UIMatch, useLocation, useMatches } from '@remix-run/react';
import { Fragment } from 'react';
import { shortenName } from '../figures/format.ts';
import { type Crumb, crumbsOfRoutes } from '../page/page-name.ts';
import { findPage, findScreen, type Reach } from './navigation.ts';
import { useShell } from './shell-data.ts';

/** Returns the group of the rail, its item, what is chosen within it, and then the crumbs of the routes. */
function crumbsOf(pathname: string, matches: readonly UIMatch[], shell: Reach): Crumb[] {
  const found = findPage(pathname, shell);
  if (!found) return crumbsOfRoutes(matches);
  const { group, item, setting, screen } = found;
  const holder = setting ?? item;
  // A page that others have in their rail names its place there, without a link to what the person may not open.
  const isOwn = findScreen(pathname, shell) !== null;
  const crumbTo = (label: string, to: string): Crumb => (isOwn || to === pathname ? { label, to } : { label });
  return [
    ...(group && group !== item.label ? [{ label: group }] : []),
    crumbTo(item.label, item.to),
    ...(setting ? [crumbTo(setting.label, setting.to)] : []),
    // The first tab is what the item itself leads to.
    ...(screen.to === holder.to ? [] : [crumbTo(screen.label, screen.to)]),
    ...crumbsOfRoutes(matches),
  ];
}

export function Breadcrumb() {
  const { pathname } = useLocation();
  const crumbs = crumbsOf(pathname, useMatches(), useShell());
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
