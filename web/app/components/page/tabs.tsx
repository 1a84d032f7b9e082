import { Link, useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { formatFigure } from '../figures/format.ts';

export interface Tab {
  label: string;
  to: string;
  /** In small print after the label: how many, or a version ("v4"). */
  count?: number | string | null;
  /** Set this if the location alone does not identify the current tab (a tab kept in the search part). */
  current?: boolean;
}

/**
 * Parts of a page, each with its own address. They are plain links, so they work without JavaScript and open in a new
 * tab.
 */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const location = useLocation();
  const here = location.pathname + location.search;
  const strip = useRef<HTMLElement>(null);
  // On a narrow screen the strip scrolls, so keep the current tab in view.
  useEffect(() => {
    const chosen = strip.current?.querySelector<HTMLElement>('[aria-current]');
    if (strip.current && chosen && here) strip.current.scrollLeft = chosen.offsetLeft - strip.current.clientWidth / 3;
  }, [here]);
  return (
    <nav
      ref={strip}
      aria-label={label}
      className="no-print relative mb-[18px] flex gap-5 overflow-x-auto border-b border-line text-sm text-ink-2"
    >
      {tabs.map((tab) => {
        const current = tab.current ?? (tab.to === here || tab.to === location.pathname);
        return (
          <Link
            key={tab.to}
            to={tab.to}
            prefetch="intent"
            preventScrollReset
            aria-current={current ? 'page' : undefined}
            className={classNames(
              'h-[34px] border-b-2 leading-[34px] whitespace-nowrap max-sm:h-10 max-sm:leading-10 outline-offset-[-2px] hover:text-ink',
              current ? 'border-accent font-[550] text-ink' : 'border-transparent',
            )}
          >
            {tab.label}
            {tab.count === undefined || tab.count === null ? null : (
              <small className="font-normal text-ink-3">
                {' '}
                {typeof tab.count === 'number' ? formatFigure(tab.count) : tab.count}
              </small>
            )}
          </Link>
        );
      })}
    </nav>
  );
}

/** The tabs of a document's page. The first has the address of the page itself, the others add `?view=`. */
export const ViewTabs = <View extends string>({
  label,
  tabs,
  current,
  to,
}: {
  label: string;
  tabs: readonly (Pick<Tab, 'label' | 'count'> & { view: View })[];
  current: NoInfer<View>;
  /** The address of a tab; undefined is the first one. */
  to: (view: NoInfer<View> | undefined) => string;
}) => (
  <Tabs
    label={label}
    tabs={tabs.map(({ view, ...tab }, index) => ({
      ...tab,
      to: to(index === 0 ? undefined : view),
      current: view === current,
    }))}
  />
);
