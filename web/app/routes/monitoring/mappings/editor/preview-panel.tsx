import { classNames } from '../../../../components/class-names.ts';
import { Unknown } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { Notice } from '../../../../components/page/notice.tsx';
import { Panel, PanelSection, Section } from '../../../../components/page/section.tsx';
import type { DraftPreview, RuleSample } from '../draft-preview.ts';

/**
 * The result of the rules on the first rows: counts, missing headers, and the open rule's cells or the failing rules.
 */
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
    <Section title="Preview of first rows" note={isStale ? 'updating' : preview.file.name} busy={isStale}>
      <div aria-live="polite">
        {preview.problem ? <Notice tone="warning">{preview.problem}</Notice> : null}
        {preview.notices.map((notice) => (
          <Notice key={notice} tone="warning">
            {notice}
          </Notice>
        ))}
        {preview.missingHeaders.length > 0 ? (
          <Notice tone="danger">
            This file does not have {preview.missingHeaders.map((header) => `"${header}"`).join(', ')}. Use another
            column in these rules, or remove them.
          </Notice>
        ) : null}
        {preview.leftOut.length > 0 ? (
          <Notice tone="warning">
            {preview.leftOut.length === 1
              ? `Rule ${(preview.leftOut[0] ?? 0) + 1} is incomplete and not included in the preview.`
              : `${preview.leftOut.length} rules are incomplete and not included in the preview.`}
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
            {preview.warned > 0 ? (
              <>
                {'; '}
                <b className="font-medium text-warning">{formatCount(preview.warned, 'asset')}</b> with warnings
              </>
            ) : null}
          </p>
        ) : null}
      </div>
      {sample ? (
        <RuleCells sample={sample} />
      ) : preview.failures.length + preview.warnings.length > 0 ? (
        <Findings preview={preview} />
      ) : preview.rows > 0 ? (
        <p className="text-sm text-ink-3">
          Nothing is wrong in the first {formatCount(preview.rows, 'row')}. Open a rule to compare its cells with the
          tape.
        </p>
      ) : null}
    </Section>
  );
}

function RuleCells({ sample }: { sample: RuleSample }) {
  return (
    <Panel>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="max-h-[34rem] overflow-y-auto" aria-label="Cells of the selected rule" tabIndex={0}>
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
                  {cell.warning ? <span className="block text-xs text-warning">{cell.warning}</span> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

/** The rules with problems, errors before warnings. */
function Findings({ preview }: { preview: DraftPreview }) {
  return (
    <Panel>
      <ul>
        {[...preview.failures.slice(0, 12), ...preview.warnings.slice(0, 12)].map(({ rule, count, row, reason }) => (
          <li key={`${rule} ${reason}`} className="flex gap-3 border-b border-line px-3 py-2 text-sm last:border-b-0">
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

/** As many rows as fit beside one another. */
const SHOWN_ROWS = 4;

/** Each rule's cells as read above the mapped values, for the first rows of the tape. */
export function SideBySide({ preview, isStale, rules }: { preview: DraftPreview; isStale: boolean; rules: number }) {
  const { samples } = preview;
  const rows = samples[0]?.cells.slice(0, SHOWN_ROWS) ?? [];
  if (rows.length === 0) return null;
  return (
    <PanelSection
      title="As read and as mapped"
      note={
        samples.length < rules
          ? `first ${samples.length} of ${rules} rules; open any other rule to see its cells`
          : 'first rows of the tape'
      }
      busy={isStale}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="relative overflow-x-auto" aria-label="As read and as mapped, scrolls sideways" tabIndex={0}>
        <table className="w-full min-w-160 table-fixed border-collapse text-sm">
          <caption className="sr-only">First rows, with each rule’s cell as read and as mapped</caption>
          <thead>
            <tr className="border-b border-line text-left text-xs">
              <th scope="col" className="h-10 px-3 font-medium text-ink-3">
                Rule
              </th>
              {rows.map(({ row }) => (
                <th key={row} scope="col" className="border-l border-line px-3 font-medium text-ink-3">
                  Row {row}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {samples.map((sample) => (
              <tr key={sample.rule} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-3 py-1 text-left align-top text-xs font-medium">
                  <span className="block truncate font-normal text-ink-3">{sample.header ?? 'Computed'}</span>
                  <span className="block truncate text-sm">{sample.target}</span>
                </th>
                {rows.map(({ row }, at) => (
                  <ReadAndMapped key={row} cell={sample.cells[at]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </PanelSection>
  );
}

function ReadAndMapped({ cell }: { cell: RuleSample['cells'][number] | undefined }) {
  return (
    <td
      className={classNames(
        'border-l border-line px-3 py-1 align-top',
        cell?.error && 'bg-danger-soft',
        cell?.warning && 'bg-warning-soft',
      )}
    >
      <span className="block truncate text-xs text-ink-3">{cell?.read ?? '\u00a0'}</span>
      {cell?.error ? (
        <span className="block text-xs text-danger">{cell.error}</span>
      ) : (
        <span className="figures block truncate">{cell?.made ?? <Unknown reason="Missing" />}</span>
      )}
      {cell?.warning ? <span className="block text-xs text-warning">{cell.warning}</span> : null}
    </td>
  );
}
