import { type ComparedLine, differs, explanationOf } from '@tapeline/domain/certifications/compare-lines.ts';
import { classNames } from '../../../../components/class-names.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { inputClass } from '../../../../components/forms/inputs.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';

const amount = (line: ComparedLine, sum: string | null, unknown: string) => (
  <Money
    value={sum === null ? null : { sum, currency: line.currency }}
    withCurrency={false}
    zero="figure"
    unknown={unknown}
  />
);

/** What explains a difference, and who said so. */
function Explanation({ line }: { line: ComparedLine }) {
  if (line.dispute !== null) {
    return (
      <span className="whitespace-normal">
        <b className="font-medium text-danger">Disputed:</b> {line.dispute}
        {line.remark ? <span className="block text-xs text-ink-2">Borrower: {line.remark}</span> : null}
      </span>
    );
  }
  if (explanationOf(line) !== null) return <span className="whitespace-normal">{line.remark}</span>;
  return differs(line) ? <Chip tone="warning">Not explained</Chip> : null;
}

/** The lines of a certificate, ours beside theirs. In review, the lender gives a reason for each line that is wrong. */
export function LinesTable({
  lines,
  caption,
  isDisputing = false,
}: {
  lines: readonly ComparedLine[];
  caption: string;
  isDisputing?: boolean;
}) {
  const indexes = new Map(lines.filter(({ key }) => key !== null).map(({ key }, index) => [key, index]));
  return (
    <Panel>
      <DataTable
        caption={caption}
        rows={lines}
        rowKey={(line) => line.key ?? `own ${lines.indexOf(line)}`}
        narrow="list"
        columns={[
          {
            head: 'Line',
            cell: (line) => (
              <span
                className={classNames(
                  'block whitespace-normal',
                  line.kind === 'level' && 'font-medium',
                  line.kind === 'part' && 'pl-4 text-ink-2',
                )}
              >
                {line.label}
                {line.key === null ? <span className="block text-xs text-ink-3">only the borrower has it</span> : null}
                {line.theirLabels.length > 0 ? (
                  <span className="block text-xs text-ink-3">{line.theirLabels.join(' + ')}</span>
                ) : null}
              </span>
            ),
          },
          { head: 'Calculated', numeric: true, cell: (line) => amount(line, line.ours, 'Not recorded') },
          { head: 'Borrower', numeric: true, cell: (line) => amount(line, line.theirs, 'Not given') },
          {
            head: 'Difference',
            numeric: true,
            cell: (line) => (
              <span className={classNames(differs(line) && 'font-semibold')}>
                {amount(line, line.difference, 'One of the two figures is not known')}
              </span>
            ),
          },
          {
            head: isDisputing ? 'Reason to dispute' : 'Explanation',
            cell: (line) => {
              const index = indexes.get(line.key);
              if (!isDisputing || line.key === null || index === undefined) return <Explanation line={line} />;
              return (
                <span className="block min-w-48">
                  <Explanation line={line} />
                  <input type="hidden" name={`lines[${index}].line`} value={line.key} />
                  <input
                    type="text"
                    name={`lines[${index}].reason`}
                    aria-label={`Reason to dispute ${line.label}`}
                    maxLength={500}
                    className={inputClass('h-7 w-full text-sm')}
                  />
                </span>
              );
            },
          },
        ]}
      />
    </Panel>
  );
}
