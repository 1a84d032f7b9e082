import { Link, useSearchParams } from '@remix-run/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatFigure, formatTotal } from '../figures/format.ts';
import { buttonClass } from '../forms/button.tsx';
import { skipOf } from './skip.ts';

/**
 * Pagination of a list with links that keep the rest of the search part. Reads and writes `skip`.
 * @param total the X-Docs-Count of the list, before skip and limit
 * @param name of the second list of a page, instead of `skip`
 */
export function Pagination({
  total,
  limit,
  noun = 'rows',
  name = 'skip',
}: {
  total: number;
  limit: number;
  noun?: string;
  name?: string;
}) {
  const [search] = useSearchParams();
  const skip = skipOf(search, name);
  if (total <= limit && skip === 0) return null;
  const at = (next: number) => {
    const params = new URLSearchParams(search);
    if (next > 0) params.set(name, String(next));
    else params.delete(name);
    return `?${params}`;
  };
  const last = Math.min(skip + limit, total);
  return (
    <nav
      aria-label={`Pages of ${noun}`}
      className="flex items-center gap-2 border-t border-line px-3 py-2 text-xs text-ink-2"
    >
      <span className="figures">
        {formatFigure(Math.min(skip + 1, total))} to {formatFigure(last)} of {formatTotal(total, noun)}
      </span>
      <span className="ml-auto flex gap-2">
        {skip > 0 ? (
          <Link
            to={at(Math.max(0, skip - limit))}
            rel="prev"
            className={buttonClass('plain', 'h-7 px-2')}
            preventScrollReset
          >
            <ChevronLeft aria-hidden="true" size={14} /> Previous
          </Link>
        ) : null}
        {last < total ? (
          <Link to={at(skip + limit)} rel="next" className={buttonClass('plain', 'h-7 px-2')} preventScrollReset>
            Next <ChevronRight aria-hidden="true" size={14} />
          </Link>
        ) : null}
      </span>
    </nav>
  );
}
