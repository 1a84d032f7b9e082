import { Form, Link, useLocation } from '@remix-run/react';
import { Filter } from 'lucide-react';
import { paths } from '../../paths.ts';
import { classNames } from '../class-names.ts';
import { shortenName } from '../figures/format.ts';
import { CsrfField } from '../forms/csrf-field.tsx';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../overlays/drop-down.ts';
import type { ShellData } from './shell-data.ts';

const ITEM =
  'flex min-h-8 w-full max-sm:min-h-10 items-center rounded-md px-2 py-1 text-left text-sm text-ink hover:bg-hover';

/** Narrows the page, and others like it, to the funds and investors of a saved filter. Only where filters apply. */
export function FilterMenu({ shell: { filters, filter } }: { shell: ShellData }) {
  const { pathname, search } = useLocation();
  if (filters.length === 0) return null;
  const chosen = filters.find(({ id }) => id === filter);
  return (
    <details className={classNames('flex-none', DROP_DOWN)} key={`${pathname}${search}${filter}`}>
      <summary
        title={chosen?.title}
        className={classNames(
          'flex h-[30px] items-center gap-1.5 rounded-md border px-2 hover:bg-hover max-sm:size-10 max-sm:justify-center',
          chosen ? 'border-accent text-accent' : 'border-line text-ink',
        )}
      >
        <Filter aria-hidden="true" size={15} strokeWidth={1.75} />
        <span className="sr-only">Filter: </span>
        <span className="max-md:sr-only">{chosen ? shortenName(chosen.title) : 'All funds'}</span>
      </summary>
      <Form
        method="post"
        action={paths.preferences()}
        reloadDocument
        className={classNames(DROP_DOWN_PANEL, 'right-0 max-h-96 w-64 overflow-y-auto p-2')}
      >
        <CsrfField />
        <input type="hidden" name="next" value={`${pathname}${search}`} />
        {[{ id: 'none', title: 'All funds and investors' }, ...filters].map(({ id, title }) => (
          <button
            key={id}
            type="submit"
            name="groupFilter"
            value={id}
            aria-pressed={id === (filter ?? 'none')}
            className={classNames(ITEM, id === (filter ?? 'none') && 'bg-selected')}
          >
            <span className="min-w-0 break-words">{title}</span>
          </button>
        ))}
        <Link to={paths.filters()} className={`${ITEM} mt-1 border-t border-line`}>
          Manage filters
        </Link>
      </Form>
    </details>
  );
}
