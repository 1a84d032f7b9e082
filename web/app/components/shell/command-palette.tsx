import { Link, useNavigate } from '@remix-run/react';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import { itemsOfAccount, usable } from './navigation.ts';
import type { Entry } from './palette-dialog.tsx';
import type { ShellData } from './shell-data.ts';
import { isTyping } from './typing.ts';

const GO_WITHIN_MS = 1_200;

const loadPalette = () => import('./palette-dialog.tsx');
const PaletteDialog = lazy(() => loadPalette().then((module) => ({ default: module.PaletteDialog })));
const ShortcutList = lazy(() => import('./shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })));

/** `/` opens the palette, `?` the list of shortcuts, and `g` followed by a letter navigates. Ignored while the person is typing in a field. */
function useShortcuts(
  entries: readonly Entry[],
  open: (what: 'palette' | 'shortcuts') => void,
  go: (to: string) => void,
): void {
  const latest = useRef({ entries, open, go });
  latest.current = { entries, open, go };
  useEffect(() => {
    let pressedG = 0;
    const press = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        latest.current.open('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        latest.current.open('palette');
      } else if (event.key === '?' && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        latest.current.open('shortcuts');
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
 * Search over the screens, commands and documents that the user can open, as a combobox in a dialog. Without
 * JavaScript, its button is a link to the page of the search.
 */
export function CommandPalette({ shell }: { shell: ShellData }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'palette' | 'shortcuts' | null>(null);
  const entries: Entry[] = usable(itemsOfAccount(shell.account), shell.items).flatMap(({ label, icon, screens }) =>
    screens.map((screen) => ({ ...screen, icon, group: screen.label === label ? null : label })),
  );
  const close = () => setOpened(null);
  useShortcuts(entries, setOpened, (to) => {
    close();
    navigate(to);
  });
  return (
    <>
      <noscript>
        <Link
          to={paths.search()}
          className="flex h-[30px] flex-none items-center gap-2 rounded-md border border-line px-2 text-ink-2 max-sm:h-10"
        >
          <Search aria-hidden="true" size={15} strokeWidth={1.75} /> Search
        </Link>
      </noscript>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={() => void loadPalette()}
        onFocus={() => void loadPalette()}
        onClick={() => setOpened('palette')}
        className="needs-script ml-auto flex h-[30px] w-[260px] flex-none items-center gap-2 rounded-md border border-line bg-canvas px-2 text-ink-3 hover:border-line-strong max-lg:w-44 max-md:w-[30px] max-sm:size-10 max-md:justify-center max-md:px-0"
      >
        <Search aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none" />
        <span className="max-md:sr-only">Search or jump to</span>
        <span
          aria-hidden="true"
          className="ml-auto rounded-sm border border-line-strong px-[5px] font-sans text-2xs text-ink-3 max-md:hidden"
        >
          /
        </span>
      </button>
      <Suspense>
        {opened === 'palette' ? <PaletteDialog entries={entries} onClose={close} /> : null}
        {opened === 'shortcuts' ? <ShortcutList screens={entries} onClose={close} /> : null}
      </Suspense>
    </>
  );
}
