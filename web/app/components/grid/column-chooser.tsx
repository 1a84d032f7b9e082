import { useSearchParams } from '@remix-run/react';
import { Columns3 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../class-names.ts';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../overlays/drop-down.ts';
import { useDropDown } from '../overlays/use-drop-down.ts';
import type { GridColumn } from './grid-columns.ts';

/** The columns that an address names; null if it names none that exist. */
function columnsOfAddress(text: string | null, columns: readonly GridColumn[]): ReadonlySet<string> | null {
  const named = new Set((text ?? '').split(','));
  const known = columns.filter(({ path }) => named.has(path)).map(({ path }) => path);
  return known.length > 0 ? new Set(known) : null;
}

/** The columns of the address, such as those of a saved view, or else those that the person has chosen in this browser. */
export function useChosenColumns(id: string, columns: readonly GridColumn[]) {
  const key = `tapeline-columns/${id}`;
  const [search, setSearch] = useSearchParams();
  const named = columnsOfAddress(search.get('columns'), columns);
  const usual = columns.filter((column) => column.shown).map((column) => column.path);
  const [held, setHeld] = useState<ReadonlySet<string>>(() => new Set(usual));
  useEffect(() => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
      if (Array.isArray(kept)) setHeld(new Set(kept.filter((path) => typeof path === 'string')));
    } catch {
      // Ignore an unreadable value, as if no columns had been chosen.
    }
  }, [key]);
  const chosen = named ?? held;
  const choose = (path: string, isShown: boolean) => {
    const next = new Set(chosen);
    if (isShown) next.add(path);
    else next.delete(path);
    if (named) {
      const after = new URLSearchParams(search);
      after.set('columns', [...next].join(','));
      setSearch(after, { preventScrollReset: true, replace: true });
      return;
    }
    setHeld(next);
    localStorage.setItem(key, JSON.stringify([...next]));
  };
  const inOrder = columns.filter(({ path }) => chosen.has(path)).map(({ path }) => path);
  return { chosen, choose, unusual: inOrder.join() === usual.join() ? null : inOrder };
}

export function ColumnChooser({
  id,
  columns,
  chosen,
  choose,
}: {
  id: string;
  columns: readonly GridColumn[];
  chosen: ReadonlySet<string>;
  choose: (path: string, isShown: boolean) => void;
}) {
  const details = useDropDown();
  return (
    <details ref={details} className={classNames('needs-script', DROP_DOWN)}>
      <summary className="flex h-[26px] max-sm:h-10 items-center gap-1.5 rounded-full border border-line-strong px-2.5 text-xs hover:bg-hover">
        <Columns3 aria-hidden="true" size={13} strokeWidth={1.75} /> Columns
      </summary>
      <fieldset className={classNames(DROP_DOWN_PANEL, 'right-0 max-h-80 w-64 overflow-y-auto p-2')}>
        <legend className="sr-only">Visible columns</legend>
        {columns.map((column) => (
          <label
            key={column.path}
            htmlFor={`${id}-${column.path}`}
            className="flex h-8 max-sm:h-10 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
          >
            <input
              id={`${id}-${column.path}`}
              type="checkbox"
              className="size-4 accent-accent"
              checked={chosen.has(column.path)}
              onChange={(event) => choose(column.path, event.target.checked)}
            />
            {column.label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
