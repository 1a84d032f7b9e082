import { Link } from '@remix-run/react';
import { classNames } from '../../../../components/class-names.ts';
import { Name } from '../../../../components/figures/figures.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

/** Chooses the note that the page is about, and stays on its tab. Empty for a transaction with one note. */
export function NoteSwitch({ page: { transaction, note, tab, views } }: { page: TransactionPage }) {
  if (transaction.notes.length < 2) return null;
  return (
    <nav aria-label="Notes" className="no-print flex max-w-full flex-wrap gap-0.5 rounded-md border border-line p-0.5">
      {transaction.notes.map(({ id, title }) => (
        <Link
          key={id}
          to={paths.transaction(transaction.id, { note: id, view: tab.view === views[0] ? undefined : tab.view })}
          prefetch="intent"
          preventScrollReset
          aria-current={id === note.id ? 'page' : undefined}
          className={classNames(
            'flex h-6 items-center rounded-[4px] px-2.5 text-sm whitespace-nowrap max-sm:h-9 hover:text-ink',
            id === note.id ? 'bg-selected font-[550] text-ink' : 'text-ink-2',
          )}
        >
          <Name>{title}</Name>
        </Link>
      ))}
    </nav>
  );
}
