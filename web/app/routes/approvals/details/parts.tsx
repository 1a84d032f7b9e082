import type { ReactNode } from 'react';
import { type Check, CheckList } from '../../../components/page/check-list.tsx';

/** A table of what is now beside what is asked for. */
export const COMPARISON =
  'w-full text-sm [&_td]:px-3 [&_td]:py-1.5 [&_td]:align-top [&_td]:break-words [&_tbody_th]:align-top [&_th]:px-3 [&_th]:py-1.5 [&_th]:text-left [&_tbody_tr]:border-t [&_tbody_tr]:border-line';

/** Label and value pairs, one per line. */
export function FactLines({ lines }: { lines: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="overflow-hidden rounded-lg border border-line text-sm">
      {lines.map(([label, value]) => (
        <div key={label} className="flex gap-4 border-b border-line px-3 py-1.5 last:border-b-0">
          <dt className="min-w-20 text-ink-2">{label}</dt>
          <dd className="ml-auto max-w-[70%] flex-none text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function TitledChecks({ title, checks }: { title: string; checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
      <div className="rounded-lg border border-line">
        <CheckList checks={checks} isDense />
      </div>
    </div>
  );
}

export const Quote = ({ children }: { children: string }) => (
  <blockquote className="border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-line text-ink-2">
    {children}
  </blockquote>
);
