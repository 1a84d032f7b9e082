import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { type DecimalText, multiply } from '@tapeline/domain/money/decimal.ts';
import { SCORE_PART_LABELS, SCORE_PARTS, type ScorePart } from '@tapeline/domain/pools/reporting-score.ts';
import type { askScores, ScoredMonth } from '../../../commands/reporting-score.server.ts';
import { Figure, Unknown } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { TapesBeingRead } from '../tapes/tape/tapes-being-read.tsx';

export type Scores = Awaited<ReturnType<typeof askScores>>;

const SHARES: ReadonlySet<ScorePart> = new Set(['errors', 'unexplained', 'changes']);

const unknownOf = (month: ScoredMonth, part: ScorePart): string => {
  if (part === 'errors') return 'The tape has no rows';
  return month.against === null
    ? 'There is no tape of the month before'
    : 'The tape cannot be compared with the one before, or a currency has no exchange rate';
};

function valueText(part: ScorePart, value: DecimalText): string {
  if (SHARES.has(part)) return `${formatFigure(multiply(value, '100'), 2)}%`;
  return part === 'lateness' ? `${value} d` : value;
}

function Part({ month, part }: { month: ScoredMonth; part: ScorePart }) {
  const [value, points] = [month.values[part], month.points[part]];
  if (value === null || points === null) return <Unknown reason={unknownOf(month, part)} />;
  return (
    <>
      <Figure value={points} digits={1} zero="figure" />
      <small className="ml-1.5 text-ink-3">{valueText(part, value)}</small>
    </>
  );
}

/** How well a borrower reports, month by month, with the points of each part and what they follow from. */
export function ReportingScores({ scores, name }: { scores: Scores | null; name: string }) {
  if (!scores) {
    return (
      <Panel>
        <EmptyState title="No published loan tape">
          The reporting of {name} is scored from its loan tapes. Upload one to see the first score.
        </EmptyState>
      </Panel>
    );
  }
  if (scores.read) return <TapesBeingRead read={scores.read} label="Comparing the tapes" part="step" />;
  const [latest] = scores.result;
  return (
    <TableSection
      title="Reporting score"
      note="by month, of 100; each part has at most 20 points"
      more={
        latest ? (
          <LinkButton external to={paths.analyticsFile('reportingScore', { loanTapeId: latest.tapeId })}>
            CSV
          </LinkButton>
        ) : null
      }
      rows={scores.result}
      rowKey={({ tapeId }) => tapeId}
      rowTo={({ tapeId, against }) => paths.tapeForward(tapeId, against === null ? {} : { against })}
      columns={[
        { head: 'Tape', cell: ({ cutOffDate }) => formatCalendarDate(cutOffDate) },
        {
          head: 'Score',
          numeric: true,
          cell: ({ total }) => (
            <Figure value={total} digits={1} zero="figure" unknown="A part is unknown, so its points are too" />
          ),
        },
        ...SCORE_PARTS.map((part) => ({
          head: SCORE_PART_LABELS[part],
          numeric: true,
          cell: (month: ScoredMonth) => <Part month={month} part={part} />,
        })),
      ]}
    >
      <p className="mt-2 text-xs text-ink-3">
        Beside the points: the share of rows with errors, how often the tape was published again, days after the due
        date, the share of the opening balance that the tapes do not explain, and the share of assets with a change that
        should not happen.
      </p>
    </TableSection>
  );
}
