import type { FieldMetadata } from '@conform-to/react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../../components/figures/format.ts';
import { targetLabel, textOf } from '../../mappings/draft.ts';
import { SURE } from '../../mappings/edit-draft.ts';
import { ConfidenceChip } from '../../mappings/editor/confidence-chip.tsx';
import { stepsInWords } from '../../mappings/mapping-changes.ts';
import type { ProposedColumn } from './proposed-rules.ts';

/** The suggested columns with their fields, each with its confidence and reason. Doubtful ones are not selected. */
export function ProposedColumns({
  field,
  initial,
  columns,
  headers,
  more,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: a field of a list whose schema has refinements
  field: FieldMetadata<any, any, any>;
  /** The indexes of the columns that are chosen first. */
  initial: string | readonly string[];
  columns: readonly ProposedColumn[];
  headers: readonly string[];
  /** A link to where the rules can be changed. */
  more: ReactNode;
}) {
  const [used, setUsed] = useState(new Set(typeof initial === 'string' ? [initial] : initial.map(String)));
  const toggle = (value: string) =>
    setUsed((before) => new Set(before.has(value) ? [...before].filter((each) => each !== value) : [...before, value]));
  const read = new Set(columns.map(({ rule }) => textOf(rule.originCol)));
  const left = headers.filter((header) => header.trim() !== '' && !read.has(header));
  const doubtful = columns.filter(({ confidence }) => confidence < SURE).length;
  return (
    <fieldset id={field.id}>
      <legend className="mb-1 flex w-full flex-wrap items-baseline gap-x-3 text-xs text-ink-3">
        <span className="font-medium text-ink-2">{formatCount(columns.length, 'suggested column')}</span>
        {doubtful > 0 ? <span>{doubtful} to check</span> : null}
        <span className="ml-auto">{more}</span>
      </legend>
      <ul className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {columns.map(({ rule, confidence, reason }, index) => {
          const origin = textOf(rule.originCol);
          const value = String(index);
          return (
            <li key={`${origin} ${targetLabel(rule)}`} className="flex items-start gap-2.5 px-3 py-1.5 hover:bg-hover">
              <input
                type="checkbox"
                id={`${field.id}-${index}`}
                name={field.name}
                value={value}
                checked={used.has(value)}
                onChange={() => toggle(value)}
                className="mt-1 size-4 flex-none accent-accent"
              />
              <label htmlFor={`${field.id}-${index}`} className="min-w-0 flex-1 text-sm">
                <span className="block break-words">
                  {origin === '' ? <span className="text-ink-3">Computed</span> : origin}
                  <span aria-hidden="true" className="mx-1.5 text-ink-3">
                    →
                  </span>
                  <span className="sr-only"> to </span>
                  <b className="font-[550]">{targetLabel(rule)}</b>
                </span>
                <span className="block text-xs break-words text-ink-3">
                  {stepsInWords(rule)} · {reason}
                </span>
              </label>
              <ConfidenceChip confidence={confidence} />
            </li>
          );
        })}
      </ul>
      {left.length > 0 ? (
        <p className="mt-1.5 text-xs break-words text-ink-3">
          Not mapped: {left.slice(0, 20).join(', ')}
          {left.length > 20 ? ` and ${left.length - 20} more` : ''}.
        </p>
      ) : null}
    </fieldset>
  );
}
