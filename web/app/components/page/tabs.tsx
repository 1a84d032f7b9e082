import { Link, useLocation } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { formatFigure } from '../figures/format.ts';

export interface Tab {
  label: string;
  to: string;
  count?: number | null;
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
            {typeof tab.count === 'number' ? (
              <small className="ml-1 font-normal text-ink-3">{formatFigure(tab.count)}</small>
            ) : null}
          </Link>
        );
      })}
    </nav>
  );
}
