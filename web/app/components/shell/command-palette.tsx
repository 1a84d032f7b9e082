import { useNavigate } from '@remix-run/react';
import { Search, UserRound } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { paths } from '../../routes/paths.ts';
import { classNames } from '../class-names.ts';
import type { NavigationItem } from './navigation.ts';
import { groupsOf } from './rail.tsx';
import type { ShellData } from './shell-data.ts';

const GO_WITHIN_MS = 1_200;

interface Entry extends Pick<NavigationItem, 'label' | 'to' | 'icon' | 'key'> {
  group: string;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** `/` opens the palette, and `g` followed by a letter navigates. Ignored while the person is typing in a field. */
function useShortcuts(entries: readonly Entry[], open: () => void, go: (to: string) => void): void {
  const latest = useRef({ entries, open, go });
  latest.current = { entries, open, go };
  useEffect(() => {
    let pressedG = 0;
    const press = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        latest.current.open();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        latest.current.open();
      } else if (event.key === 'g') {
        pressedG = event.timeStamp;
      } else if (pressedG > 0 && event.timeStamp - pressedG < GO_WITHIN_MS) {
        pressedG = 0;
        const entry = latest.current.entries.find((one) => one.key === event.key);
        if (entry) latest.current.go(entry.to);
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/**
 * Search over the screens that the user can open, as a combobox in a dialog. Its button needs JavaScript, so it is
 * hidden without it.
 */
export function CommandPalette({ shell }: { shell: ShellData }) {
  const navigate = useNavigate();
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const entries: Entry[] = [
    ...groupsOf(shell.items).flatMap((group) => group.items.map((item) => ({ ...item, group: group.label }))),
    { label: 'Account', to: paths.account(), icon: UserRound, key: 'a', group: 'Account' },
  ];
  const wanted = words.trim().toLowerCase();
  const matches = entries.filter((entry) => `${entry.label} ${entry.group}`.toLowerCase().includes(wanted));
  const active = matches[Math.min(at, matches.length - 1)];
  const close = () => {
    setIsOpen(false);
    setWords('');
    setAt(0);
  };
  const go = (to: string) => {
    close();
    navigate(to);
  };
  useShortcuts(entries, () => setIsOpen(true), go);
  const steer = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && matches.length > 0) {
      event.preventDefault();
      setAt((before) => (Math.min(before, matches.length - 1) + step + matches.length) % matches.length);
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      go(active.to);
    }
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? setIsOpen(true) : close())}>
      <Dialog.Trigger className="needs-script ml-auto flex h-[30px] w-[260px] flex-none items-center gap-2 rounded-md border border-line bg-canvas px-2 text-ink-3 hover:border-line-strong max-lg:w-44 max-md:w-[30px] max-sm:size-10 max-md:justify-center max-md:px-0">
        <Search aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none" />
        <span className="max-md:sr-only">Search or jump to</span>
        <span
          aria-hidden="true"
          className="ml-auto rounded-sm border border-line-strong px-[5px] font-sans text-2xs text-ink-3 max-md:hidden"
        >
          /
        </span>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-paper shadow-float"
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Search aria-hidden="true" size={16} strokeWidth={1.75} className="text-ink-3" />
            <input
              role="combobox"
              aria-label="Search or jump to"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={active ? `${listId}-${active.to}` : undefined}
              autoComplete="off"
              placeholder="Search screens"
              value={words}
              onChange={(event) => {
                setWords(event.target.value);
                setAt(0);
              }}
              onKeyDown={steer}
              className="h-12 w-full bg-transparent text-base text-ink outline-none placeholder:text-ink-3"
            />
          </div>
          <div id={listId} role="listbox" aria-label="Screens" className="max-h-[50vh] overflow-y-auto p-2">
            {matches.map((entry) => {
              const Icon = entry.icon;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keys
                <div
                  key={entry.to}
                  id={`${listId}-${entry.to}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === active}
                  onClick={() => go(entry.to)}
                  className={classNames(
                    'flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm',
                    entry === active ? 'bg-selected' : 'hover:bg-hover',
                  )}
                >
                  <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-ink-3" />
                  {entry.label}
                  <span className="text-xs text-ink-3">{entry.group}</span>
                  {entry.key ? <span className="ml-auto text-2xs text-ink-3">g {entry.key}</span> : null}
                </div>
              );
            })}
          </div>
          {matches.length === 0 ? (
            <p className="px-4 pb-4 text-sm text-ink-2">No results. Try another search.</p>
          ) : null}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
