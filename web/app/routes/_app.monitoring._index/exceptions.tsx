import { Link } from '@remix-run/react';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Name } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import type { LendingException } from '../../monitoring/exceptions.ts';

/** What needs a look, each leading to where it can be looked at. */
export function Exceptions({ exceptions }: { exceptions: readonly LendingException[] }) {
  return (
    <Section title="Exceptions" note={String(exceptions.length)}>
      <Panel>
        {exceptions.length === 0 ? (
          <EmptyState icon={CircleCheck} title="Nothing needs a look">
            No deficit, no limit exceeded, and every row of the latest tapes was read.
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
      </Panel>
    </Section>
  );
}
