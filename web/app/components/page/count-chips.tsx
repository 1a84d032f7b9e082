import { Link } from '@remix-run/react';
import { classNames } from '../class-names.ts';
import { formatFigure } from '../figures/format.ts';

/** Links that choose what a page lists, each with the number of its items, or a short note. */
export const CountChips = ({
  label,
  chips,
}: {
  label: string;
  chips: readonly { label: string; count: number | string; to: string; isCurrent: boolean }[];
}) => (
  <nav aria-label={label} className="no-print mb-3 flex flex-wrap gap-2">
    {chips.map(({ label: name, count, to, isCurrent }) => (
      <Link
        key={to}
        to={to}
        preventScrollReset
        aria-current={isCurrent ? 'true' : undefined}
        className={classNames(
          'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm whitespace-nowrap max-sm:h-10',
          isCurrent
            ? 'border-accent bg-accent-soft font-[550] text-ink'
            : 'border-line-strong bg-paper text-ink-2 hover:bg-hover',
        )}
      >
        {name}
        <small className={isCurrent ? 'text-accent' : 'text-ink-3'}>
          {typeof count === 'number' ? formatFigure(count) : count}
        </small>
      </Link>
    ))}
  </nav>
);
