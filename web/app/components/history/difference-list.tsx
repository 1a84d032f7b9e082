import type { DifferenceLine } from './change-view.ts';

const withUnit = (text: string | null, unit: string | null): string | null =>
  text === null || unit === null ? text : unit === '%' ? `${text}%` : `${text} ${unit}`;

const SIGNS = { added: '+', removed: '\u2212', changed: '~' } as const;
const TONES = { added: 'text-good', removed: 'text-danger', changed: 'text-ink-2' } as const;

/** The differences of a change, one below the other: each field with its value before and after. */
export function DifferenceList({ lines }: { lines: readonly DifferenceLine[] }) {
  if (lines.length === 0) return <p className="text-sm text-ink-3">Only internal fields were set.</p>;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line text-sm">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change never change places
        <div key={index} className="px-3 py-2">
          <dt className="flex gap-2 text-xs text-ink-2">
            <span aria-hidden="true" className={`w-3 flex-none font-mono ${TONES[line.kind]}`}>
              {SIGNS[line.kind]}
            </span>
            <span className="min-w-0 break-words">
              <span className="sr-only">{line.kind}: </span>
              {line.label}
            </span>
          </dt>
          <dd className="mt-0.5 pl-5 break-words">
            {line.kind === 'added' ? null : (
              <span className="text-ink-3">{withUnit(line.old, line.unit) ?? 'not set'}</span>
            )}
            {line.kind === 'changed' ? <span aria-hidden="true"> → </span> : null}
            {line.kind === 'changed' ? <span className="sr-only"> became </span> : null}
            {line.kind === 'removed' ? null : <span>{withUnit(line.new, line.unit) ?? 'not set'}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
