import { Link } from '@remix-run/react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';

/**
 * A titled part of a page.
 * @param note what the part counts, its unit and as-of date; in small print next to the title
 * @param more a link or control on the right of the title
 * @param busy the content is being replaced; it remains readable under a loading line
 */
export function Section({
  title,
  note,
  more,
  busy = false,
  children,
}: {
  title: string;
  note?: ReactNode;
  more?: ReactNode;
  busy?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={busy} className="mb-[26px] min-w-0">
      <header className="relative mb-2.5 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={id} className="text-base font-semibold tracking-[-0.005em]">
          {title}
        </h2>
        {note ? <span className="text-xs text-ink-3">{note}</span> : null}
        {more ? <span className="ml-auto text-xs font-medium text-accent">{more}</span> : null}
        {busy ? (
          <span aria-hidden className="absolute inset-x-0 -bottom-1.5 h-0.5 overflow-hidden rounded-full">
            <span className="loading-bar block h-full w-1/3 rounded-full bg-accent" />
          </span>
        ) : null}
      </header>
      {children}
    </section>
  );
}

/** A section whose content is one panel. */
export const PanelSection = ({
  padded,
  className,
  children,
  ...section
}: ComponentProps<typeof Section> & Pick<ComponentProps<typeof Panel>, 'padded' | 'className'>) => (
  <Section {...section}>
    <Panel padded={padded} className={className}>
      {children}
    </Panel>
  </Section>
);

/** The link on the right of a section's title. */
export function MoreLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="tap-text no-print text-accent hover:underline">
      {children}
    </Link>
  );
}

/** A surface with a hairline border. Use `padded` for any content except a table. */
export function Panel({
  children,
  padded = false,
  className,
}: {
  children: ReactNode;
  padded?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <div className={classNames('overflow-hidden rounded-lg border border-line bg-paper', padded && 'p-4', className)}>
      {children}
    </div>
  );
}

/** Two columns that stack under 1,024 px: `even`, or `wide` with the first column 1.55 times as wide as the second. */
export function Columns({ split = 'even', children }: { split?: 'even' | 'wide'; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'grid grid-cols-1 gap-x-6',
        split === 'even' ? 'lg:grid-cols-2' : 'lg:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]',
      )}
    >
      {children}
    </div>
  );
}

/** Label and value pairs of a document, in as many columns as fit. */
export function Facts({ items }: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6 gap-y-3 text-sm">
      {items.map((item) => (
        <div key={item.label} className="min-w-0">
          <dt className="text-xs text-ink-2">{item.label}</dt>
          <dd className="break-words">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
