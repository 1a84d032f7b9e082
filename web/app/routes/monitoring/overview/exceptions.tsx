import { Link } from '@remix-run/react';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Name } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { LendingException } from './exceptions.ts';

/**
 * What needs attention, each item with its link, as far as the reader may see it.
 * @param total count of all exceptions, of which the first are listed
 */
export function LendingExceptions({
  exceptions,
  total,
  maySeeBases,
  maySeeTapes,
}: {
  exceptions: readonly LendingException[];
  total: number;
  maySeeBases: boolean;
  maySeeTapes: boolean;
}) {
  const seen = [
    ...(maySeeBases ? ['no deficits', 'no limits exceeded'] : []),
    ...(maySeeTapes ? ['no errored rows in the latest tapes'] : []),
  ].join(', ');
  if (seen === '') return null;
  return (
    <PanelSection
      title="Needs attention"
      note={
        exceptions.length < total
          ? `the first ${exceptions.length} of ${formatFigure(total)}, the most severe first`
          : formatFigure(total)
      }
    >
      {exceptions.length === 0 ? (
        <EmptyState icon={CircleCheck} title="Nothing needs attention">
          {`${seen.charAt(0).toUpperCase()}${seen.slice(1)}.`}
        </EmptyState>
      ) : (
        <ul>
          {exceptions.map(({ title, text, to, tone }) => {
            const Icon = tone === 'danger' ? CircleAlert : TriangleAlert;
            return (
              <li key={`${title} ${text}`} className="border-b border-line last:border-b-0">
                <Link to={to} prefetch="intent" className="flex gap-3 px-3 py-2 hover:bg-hover">
                  <Icon
                    aria-hidden="true"
                    size={16}
                    strokeWidth={1.75}
                    className={`mt-0.5 flex-none ${tone === 'danger' ? 'text-danger' : 'text-warning'}`}
                  />
                  <span className="min-w-0 text-sm">
                    <Name length={48}>{title}</Name>
                    <span className="block text-xs break-words text-ink-2">{text}</span>
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </PanelSection>
  );
}
