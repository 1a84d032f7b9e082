import { TURNED_LETTERS } from '@tapeline/domain/importer/turn-columns.ts';
import { ChevronRight } from 'lucide-react';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { Button } from '../../../components/forms/button.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { turnPanelOf } from './turn.server.ts';

type Turning = NonNullable<ReturnType<typeof turnPanelOf>>;

const TURNED: readonly string[] = Object.values(TURNED_LETTERS);

/** How a column of the file is called: "C: Amount". Those that were made of several have no letters. */
export const labelOfColumn = ({ letters, header }: { letters: string; header: string }): string =>
  TURNED.includes(letters) ? header : `${letters}: ${header}`;

function Preview({ preview }: { preview: NonNullable<Turning['preview']> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="overflow-x-auto" aria-label="The first rows, scrolls horizontally" tabIndex={0}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">The first rows that the columns become</caption>
        <thead>
          <tr className="border-b border-line text-left text-xs text-ink-3">
            <th scope="col" className="px-3 py-1.5 font-medium">
              Cell
            </th>
            {preview.headers.map((header) => (
              <th key={header} scope="col" className="px-3 py-1.5 font-medium">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map(({ row, cells, source }) => (
            <tr key={row} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-1 text-left font-normal text-ink-3">
                {source}
              </th>
              {preview.headers.map((header, at) => (
                <td key={header} className="max-w-64 truncate px-3 py-1">
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Columns of one kind, such as one for each quarter, that become rows; and the rows that they become. */
export function TurnPanel({
  panel,
  version,
  refused,
}: {
  panel: Turning | null;
  version: number;
  refused: readonly string[];
}) {
  if (!panel) return null;
  const { chosen, preview, heads, columns } = panel;
  const isOpen = chosen !== null || refused.length > 0;
  return (
    <details open={isOpen} className="group mb-6 max-w-[60rem]">
      <summary className="cursor-pointer text-base font-semibold">
        <ChevronRight aria-hidden="true" size={14} className="mr-1 inline group-open:rotate-90" />
        Columns as rows{' '}
        <span className="text-xs font-normal text-ink-3">
          {chosen
            ? `${formatCount(chosen.letters.length, 'column')} become ${formatCount(preview?.total ?? 0, 'row')}`
            : 'for a file with one column for each date, class or investor'}
        </span>
      </summary>
      <div className="mt-2.5">
        {refused.map((problem) => (
          <Notice key={problem} tone="danger">
            {problem}
          </Notice>
        ))}
        {preview ? (
          <PanelSection
            title="Preview"
            note={`the first ${formatFigure(preview.rows.length)} of ${formatFigure(preview.total)}, totals included`}
          >
            <Preview preview={preview} />
          </PanelSection>
        ) : null}
        <PostForm>
          <CsrfField />
          <input type="hidden" name="intent" value="turn" />
          <input type="hidden" name="version" value={version} />
          <fieldset>
            <legend className="mb-1 text-xs font-medium text-ink-2">Columns that become rows</legend>
            <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
              {columns.map(({ letters, header }) => (
                <label key={letters} className="inline-flex min-h-7 items-center gap-2 max-sm:min-h-9">
                  <input
                    type="checkbox"
                    name="letters"
                    value={letters}
                    defaultChecked={chosen?.letters.includes(letters) ?? false}
                    className="size-4 accent-accent"
                  />
                  {letters}: {header}
                </label>
              ))}
            </div>
          </fieldset>
          <div className="mt-2 flex flex-wrap items-end gap-3">
            <label className="text-xs font-medium text-ink-2">
              Their headers are
              <select name="head" defaultValue={chosen?.head ?? 'date'} className={inputClass('mt-1 block w-56')}>
                {heads.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <Button type="submit">Turn into rows</Button>
          </div>
        </PostForm>
        {chosen ? (
          <ActionForm intent="keep" values={{ version: String(version) }} tone="quiet" className="mt-2">
            Leave the columns as they are
          </ActionForm>
        ) : null}
      </div>
    </details>
  );
}
