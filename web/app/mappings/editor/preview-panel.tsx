import { classNames } from '../../components/class-names.ts';
import { Unknown } from '../../components/figures/figures.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { formatCount } from '../../figures/format.ts';
import type { DraftPreview, RuleSample } from '../draft-preview.ts';

/** What the rules make of the first rows: counts, what is missing, the open rule's cells or the rules that fail. */
export function PreviewPanel({
  preview,
  open,
  isStale,
}: {
  preview: DraftPreview;
  open: number | null;
  isStale: boolean;
}) {
  const sample = preview.samples.find(({ rule }) => rule === open);
  return (
    <Section title="On the first rows" note={isStale ? 'updating' : preview.file.name} busy={isStale}>
      <div aria-live="polite">
        {preview.fault ? <Notice tone="warning">{preview.fault}</Notice> : null}
        {preview.missingHeaders.length > 0 ? (
          <Notice tone="danger">
            This file lacks {preview.missingHeaders.map((header) => `"${header}"`).join(', ')}: point these rules at
            another column, or drop them.
          </Notice>
        ) : null}
        {preview.leftOut.length > 0 ? (
          <Notice tone="warning">
            {preview.leftOut.length === 1
              ? `Rule ${(preview.leftOut[0] ?? 0) + 1} is not finished and is left out here.`
              : `${preview.leftOut.length} rules are not finished and are left out here.`}
          </Notice>
        ) : null}
        {preview.rows > 0 ? (
          <p className="mb-2 text-sm text-ink-2">
            <b className="font-medium text-ink">{formatCount(preview.assets, 'asset')}</b>
            {' and '}
            <b className={classNames('font-medium', preview.errored > 0 ? 'text-danger' : 'text-ink')}>
              {preview.errored} errored
            </b>{' '}
            of the first {formatCount(preview.rows, 'row')}
          </p>
        ) : null}
      </div>
      {sample ? (
        <RuleCells sample={sample} />
      ) : preview.failures.length > 0 ? (
        <Failures preview={preview} />
      ) : preview.rows > 0 ? (
        <p className="text-sm text-ink-3">
          Every row becomes an asset. Open a rule to see its cells beside the tape's.
        </p>
      ) : null}
    </Section>
  );
}

function RuleCells({ sample }: { sample: RuleSample }) {
  return (
    <Panel>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="max-h-[34rem] overflow-y-auto" aria-label="Cells of the open rule" tabIndex={0}>
        <table className="w-full table-fixed border-collapse text-sm">
          <caption className="sr-only">
            {sample.header ?? 'Computed'} as read, and {sample.target} as mapped
          </caption>
          <thead className="sticky top-0 bg-paper">
            <tr className="border-b border-line text-left text-xs text-ink-3">
              <th scope="col" className="h-8 w-14 px-3 font-medium">
                Row
              </th>
              <th scope="col" className="truncate px-3 font-medium">
                {sample.header ?? 'Computed'}
              </th>
              <th scope="col" className="truncate px-3 font-medium">
                {sample.target}
              </th>
            </tr>
          </thead>
          <tbody>
            {sample.cells.map((cell) => (
              <tr key={cell.row} className="border-b border-line align-top last:border-b-0">
                <td className="figures px-3 py-1.5 text-ink-3">{cell.row}</td>
                <td className="px-3 py-1.5 break-words">
                  {cell.read ?? <span className="text-ink-3">{sample.header ? 'blank' : ''}</span>}
                </td>
                <td className="figures px-3 py-1.5 break-words">
                  {cell.error ? (
                    <span className="text-danger">{cell.error}</span>
                  ) : (
                    (cell.made ?? <Unknown reason="Missing" />)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function Failures({ preview }: { preview: DraftPreview }) {
  return (
    <Panel>
      <ul>
        {preview.failures.slice(0, 12).map(({ rule, count, row, reason }) => (
          <li key={rule} className="flex gap-3 border-b border-line px-3 py-2 text-sm last:border-b-0">
            <a href={`#rule-${rule}`} className="flex-none font-medium text-accent hover:underline">
              Rule {rule + 1}
            </a>
            <span className="min-w-0 flex-1 break-words text-ink-2">
              {reason} <span className="text-ink-3">(row {row})</span>
            </span>
            <span className="figures flex-none text-ink-3">{formatCount(count, 'row')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Each rule's column as read beside what becomes of it, row by row. */
export function SideBySide({ preview, isStale, rules }: { preview: DraftPreview; isStale: boolean; rules: number }) {
  const { samples } = preview;
  const rows = samples[0]?.cells.slice(0, 12) ?? [];
  if (rows.length === 0) return null;
  return (
    <Section
      title="As read and as mapped"
      note={
        samples.length < rules
          ? `the first ${samples.length} of ${rules} rules; open any other to see its cells`
          : 'the first rows of the tape'
      }
      busy={isStale}
    >
      <Panel>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className="overflow-x-auto" aria-label="As read and as mapped, scrolls sideways" tabIndex={0}>
          <table className="border-collapse text-sm">
            <caption className="sr-only">The first rows, each rule's cell as read and as mapped</caption>
            <thead>
              <tr className="border-b border-line text-left text-xs">
                <th scope="col" className="sticky left-0 z-10 h-12 bg-paper px-3 font-medium text-ink-3">
                  Row
                </th>
                {samples.map((sample) => (
                  <th key={sample.rule} scope="col" className="border-l border-line px-3 font-medium whitespace-nowrap">
                    <span className="block font-normal text-ink-3">{sample.header ?? 'Computed'}</span>
                    {sample.target}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ row }, at) => (
                <tr key={row} className="border-b border-line last:border-b-0">
                  <td className="figures sticky left-0 z-10 bg-paper px-3 text-ink-3">{row}</td>
                  {samples.map((sample) => {
                    const cell = sample.cells[at];
                    return (
                      <td
                        key={sample.rule}
                        className={classNames(
                          'max-w-64 border-l border-line px-3 py-1 align-top',
                          cell?.error && 'bg-danger-soft',
                        )}
                      >
                        <span className="block truncate text-xs text-ink-3">{cell?.read ?? '\u00a0'}</span>
                        {cell?.error ? (
                          <span className="block text-xs text-danger">{cell.error}</span>
                        ) : (
                          <span className="figures block truncate">{cell?.made ?? <Unknown reason="Missing" />}</span>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Panel>
    </Section>
  );
}
