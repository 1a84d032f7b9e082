import { Link, useLocation } from '@remix-run/react';
import { type GridId, viewSearch } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { Bookmark } from 'lucide-react';
import { paths } from '../../paths.ts';
import { classNames } from '../class-names.ts';
import { shortenName } from '../figures/format.ts';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../overlays/drop-down.ts';
import { useDropDown } from '../overlays/use-drop-down.ts';
import { useShell } from '../shell/shell-data.ts';
import { addressOfAll, addressOfView, gridAt, SHOWN_VIEW } from './grid-addresses.ts';

const ITEM = 'flex min-h-8 max-sm:min-h-10 items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-hover';

/**
 * The saved views of the page's grid as links, and a link that saves what it shows now. Nothing on a page whose grid has
 * no saved views, such as a grid inside another page.
 * @param columns the visible columns, if they are not the usual ones
 */
export function ViewMenu({ grid, columns }: { grid: string; columns: readonly string[] | null }) {
  const { views } = useShell();
  const { pathname, search } = useLocation();
  const details = useDropDown();
  const here = new URL(`${pathname}${search}`, 'http://here.invalid');
  const shownGrid: GridId | null = gridAt(here);
  if (shownGrid !== grid) return null;
  const shown = views.find(({ id }) => id === here.searchParams.get(SHOWN_VIEW));
  const kept = new URLSearchParams(here.searchParams);
  if (columns) kept.set('columns', columns.join(','));
  const groups = [
    { label: 'Your views', items: views.filter(({ isOwn }) => isOwn) },
    { label: 'Shared with you', items: views.filter(({ isOwn }) => !isOwn) },
  ];
  return (
    <details ref={details} className={DROP_DOWN} key={`${pathname}${search}`}>
      <summary className="flex h-[26px] max-sm:h-10 items-center gap-1.5 rounded-full border border-line-strong px-2.5 text-xs hover:bg-hover">
        <Bookmark aria-hidden="true" size={13} strokeWidth={1.75} />
        {shown ? <span title={shown.title}>{shortenName(shown.title)}</span> : 'Views'}
      </summary>
      <div className={classNames(DROP_DOWN_PANEL, 'right-0 max-h-96 w-72 overflow-y-auto p-2')}>
        {groups.map(({ label, items }) =>
          items.length === 0 ? null : (
            <nav key={label} aria-label={label} className="mb-1">
              <p className="px-2 py-1 text-2xs font-medium text-ink-3">{label}</p>
              {items.map((view) => (
                <Link
                  key={view.id}
                  to={addressOfView(view, here)}
                  aria-current={view.id === shown?.id ? 'true' : undefined}
                  className={classNames(ITEM, view.id === shown?.id && 'bg-selected')}
                >
                  <span className="min-w-0 break-words">{view.title}</span>
                  <span className="ml-auto flex-none text-2xs text-ink-3">
                    {[view.isDefault ? 'default' : null, view.isOwn ? (view.isShared ? 'shared' : null) : view.sharedBy]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </Link>
              ))}
            </nav>
          ),
        )}
        <div className={views.length > 0 ? 'border-t border-line pt-1' : ''}>
          {shown || views.some(({ isDefault }) => isDefault) ? (
            <Link to={addressOfAll(here)} className={ITEM}>
              Show everything
            </Link>
          ) : null}
          <Link to={paths.newView({ grid, search: viewSearch(kept), back: `${pathname}${search}` })} className={ITEM}>
            Save this view
          </Link>
          <Link to={paths.views()} className={ITEM}>
            Manage views
          </Link>
        </div>
      </div>
    </details>
  );
}
