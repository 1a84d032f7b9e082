import { useFetcher, useNavigate } from '@remix-run/react';
import { MAX_SEARCH_LETTERS } from '@tapeline/domain/search/search-kinds.ts';
import { ArrowRight, type LucideIcon, Search } from 'lucide-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import { classNames } from '../class-names.ts';
import { Modal } from '../overlays/modal.tsx';
import type { SearchGroup } from './search-groups.ts';

/** The search waits this long for the next letter. */
const PAUSE_MS = 120;

/** A screen, with the item of the navigation that it is a tab of. */
export interface Entry {
  label: string;
  to: string;
  icon: LucideIcon;
  key?: string | undefined;
  group: string | null;
}

/** One line of the palette. */
interface Line {
  group: string;
  title: string;
  detail: string | null;
  to: string;
  icon: LucideIcon;
  shortcut?: string | undefined;
}

/** What the server finds for the text, while the user types. Null until the first answer. */
function useFound(text: string): { groups: readonly SearchGroup[]; isSearching: boolean } {
  const fetcher = useFetcher<{ text: string; groups: SearchGroup[] }>({ key: 'palette' });
  const load = useRef(fetcher.load);
  load.current = fetcher.load;
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => load.current(paths.searchResults({ q: text })), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  if (text === '') return { groups: [], isSearching: false };
  return { groups: fetcher.data?.groups ?? [], isSearching: fetcher.data?.text !== text };
}

/** Documents open with their page; the address of an asset leads on to its tape. */
const leadsOn = (to: string): boolean => to.startsWith('/search/asset');

/**
 * Search over the screens, commands and documents that the user can open, as a combobox. Loaded when it is first opened.
 */
export function PaletteDialog({ entries, onClose }: { entries: readonly Entry[]; onClose: () => void }) {
  const navigate = useNavigate();
  const listId = useId();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const wanted = words.trim().toLowerCase();
  const { groups, isSearching } = useFound(words.trim());
  const lines: Line[] = [
    ...entries
      .filter((entry) => `${entry.label} ${entry.group ?? ''}`.toLowerCase().includes(wanted))
      .map(({ label, to, icon, key, group }) => ({
        group: 'Screens',
        title: label,
        detail: group,
        to,
        icon,
        shortcut: key,
      })),
    ...groups.flatMap(({ label, results }) =>
      results.map((result) => ({ ...result, group: label, icon: label === 'Commands' ? ArrowRight : Search })),
    ),
  ];
  const current = Math.min(at, lines.length - 1);
  const active = lines[current];
  const go = (to: string) => {
    onClose();
    if (leadsOn(to)) window.location.assign(to);
    else navigate(to);
  };
  const steer = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && lines.length > 0) {
      event.preventDefault();
      const next = (current + step + lines.length) % lines.length;
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      go(active.to);
    }
  };
  return (
    <Modal
      label="Search or jump to"
      onClose={onClose}
      className="top-[12vh] left-1/2 w-[min(38rem,calc(100vw-2rem))] -translate-x-1/2"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden="true" size={16} strokeWidth={1.75} className="text-ink-3" />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active ? `${listId}-${current}` : undefined}
          autoComplete="off"
          placeholder="Search funds, investors, borrowers, assets, screens…"
          value={words}
          maxLength={MAX_SEARCH_LETTERS}
          onChange={(event) => {
            setWords(event.target.value);
            setAt(0);
          }}
          onKeyDown={steer}
          className="h-12 w-full bg-transparent text-base text-ink outline-none placeholder:text-ink-3"
        />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label="Results"
        aria-busy={isSearching}
        className="max-h-[56vh] overflow-y-auto p-2"
      >
        {lines.map((line, index) => {
          const Icon = line.icon;
          const startsGroup = line.group !== lines[index - 1]?.group;
          return (
            <Fragment key={`${line.group} ${line.to} ${line.title}`}>
              {startsGroup && wanted !== '' ? (
                <div role="presentation" className="px-2.5 pt-2 pb-1 text-2xs font-medium text-ink-3">
                  {line.group}
                </div>
              ) : null}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keys */}
              <div
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === current}
                onClick={() => go(line.to)}
                className={classNames(
                  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-sm max-sm:min-h-10',
                  index === current ? 'bg-selected' : 'hover:bg-hover',
                )}
              >
                <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none text-ink-3" />
                <span className="min-w-0 truncate">{line.title}</span>
                {line.detail ? <span className="min-w-0 truncate text-xs text-ink-3">{line.detail}</span> : null}
                {line.shortcut ? (
                  <span className="ml-auto flex-none text-2xs text-ink-3">g {line.shortcut}</span>
                ) : null}
              </div>
            </Fragment>
          );
        })}
      </div>
      <p role="status" className={lines.length === 0 ? 'px-4 pb-4 text-sm text-ink-2' : 'sr-only'}>
        {lines.length > 0
          ? `${lines.length} results`
          : isSearching
            ? 'Searching…'
            : 'No results. Type the start of a word, or of an asset id.'}
      </p>
      {groups.some(({ hasMore }) => hasMore) ? (
        <p className="border-t border-line px-4 py-2 text-xs text-ink-3">
          More match than are listed. Add a word to narrow them.
        </p>
      ) : null}
    </Modal>
  );
}
