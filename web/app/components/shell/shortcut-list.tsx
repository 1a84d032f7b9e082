import { useId } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../forms/button.tsx';
import { Modal } from '../overlays/modal.tsx';

interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

const EVERYWHERE: readonly Shortcut[] = [
  { keys: ['/'], does: 'Search or jump to' },
  { keys: ['?'], does: 'Show this list' },
  { keys: ['Esc'], does: 'Close what is open' },
];
const IN_LONG_LISTS: readonly Shortcut[] = [
  { keys: ['↑', '↓', '←', '→'], does: 'Move between cells' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['Ctrl', 'Enter'], does: 'Open the row in a new tab' },
];

const IN_APPROVALS: readonly Shortcut[] = [
  { keys: ['j'], does: 'Next request' },
  { keys: ['k'], does: 'Previous request' },
  { keys: ['Enter'], does: 'Decide the request' },
];

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-xs font-medium text-ink-3">
        {title}
      </h3>
      <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd className="flex justify-end gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-5 rounded-sm border border-line-strong px-1.5 text-center font-sans text-2xs leading-5 text-ink-2"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The list of shortcuts. @param screens those that `g` and a letter lead to */
export function ShortcutList({
  screens,
  onClose,
}: {
  screens: readonly { readonly label: string; readonly to: string; readonly key?: string | undefined }[];
  onClose: () => void;
}) {
  const id = useId();
  return (
    <Modal
      label={{ id }}
      onClose={onClose}
      className="top-[8vh] left-1/2 max-h-[84vh] w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto! p-5"
    >
      <div className="mb-3 flex items-center">
        <h2 id={id} className="text-lg font-semibold">
          Keyboard shortcuts
        </h2>
        <Button tone="quiet" className="ml-auto" onClick={onClose}>
          Close
        </Button>
      </div>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Group title="Everywhere" shortcuts={EVERYWHERE} />
          <Group title="In long lists" shortcuts={IN_LONG_LISTS} />
          {screens.some(({ to }) => to === paths.approvals()) ? (
            <Group title="In Approvals" shortcuts={IN_APPROVALS} />
          ) : null}
        </div>
        <Group
          title="Go to"
          shortcuts={screens.flatMap(({ label, key }) => (key ? [{ keys: ['g', key], does: label }] : []))}
        />
      </div>
    </Modal>
  );
}
