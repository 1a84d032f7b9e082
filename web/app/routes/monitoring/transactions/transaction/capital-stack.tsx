import { Link } from '@remix-run/react';
import { APPROVED_NOT_DUE, NO_BALANCE, REQUESTED } from '@tapeline/domain/facilities/position-labels.ts';
import { Percent, ShareBar } from '../../../../components/figures/figures.tsx';
import { formatFigure } from '../../../../components/figures/format.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

const WIDTH = 320;
const HEIGHT = 220;
const LEFT = 36;

type Stacked = TransactionPage['stack'][number];

/** The notes by attachment and detachment point: losses rise from the bottom. */
function Stack({ notes, current }: { notes: readonly Stacked[]; current: string }) {
  const placed = notes.filter((note) => note.priority !== null);
  const yOf = (point: number) => 10 + ((100 - point) / 100) * (HEIGHT - 20);
  const spoken = placed
    .map(({ title, priority }) => `${title} ${priority?.attachmentPoint}% to ${priority?.detachmentPoint}%`)
    .join(', ');
  return (
    <svg
      role="img"
      aria-label={`Capital stack by attachment and detachment point: ${spoken}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="w-full max-w-md"
    >
      {[0, 25, 50, 75, 100].map((point) => (
        <g key={point}>
          <line x1={LEFT} x2={WIDTH} y1={yOf(point)} y2={yOf(point)} stroke="var(--line)" />
          <text x={LEFT - 6} y={yOf(point) + 4} textAnchor="end" fontSize={11} fill="var(--ink-3)">
            {point}%
          </text>
        </g>
      ))}
      {placed.map(({ id, title, priority }, at) => {
        if (!priority) return null;
        const top = yOf(priority.detachmentPoint);
        const height = Math.max(2, yOf(priority.attachmentPoint) - top);
        const isTall = height >= 18;
        return (
          <g key={id}>
            <rect
              x={LEFT + 4}
              y={top}
              width={WIDTH - LEFT - 12}
              height={height}
              rx={3}
              fill={`var(--chart-${(at % 4) + 1})`}
              opacity={id === current ? 0.42 : 0.22}
              stroke={`var(--chart-${(at % 4) + 1})`}
              strokeWidth={id === current ? 1.5 : 0.75}
            />
            <text
              x={LEFT + 14}
              y={isTall ? top + Math.min(height / 2 + 4, 20) : top - 3}
              fontSize={12}
              fontWeight={id === current ? 600 : 400}
              fill="var(--ink)"
            >
              {title}
              <tspan fill="var(--ink-2)" fontWeight={400}>
                {`  ${formatFigure(priority.attachmentPoint)}–${formatFigure(priority.detachmentPoint)}%`}
              </tspan>
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The utilization of every note, and their capital stack. */
export function NotesOverview({ page }: { page: TransactionPage }) {
  const { stack, note, transaction } = page;
  const hasStack = stack.some(({ priority }) => priority !== null);
  const utilization = (
    <TableSection
      title="Utilization"
      note="balance today; unknown without draws"
      narrow="list"
      caption="Utilization by note"
      rows={stack}
      columns={[
        {
          head: 'Note',
          cell: (one) =>
            one.id === note.id ? (
              <b className="font-semibold">{one.title}</b>
            ) : (
              <Link to={paths.transaction(transaction.id, { note: one.id })} className="text-accent hover:underline">
                {one.title}
              </Link>
            ),
        },
        { head: 'Currency', quiet: true, cell: (one) => one.utilization.mainCurrency ?? 'n/a' },
        {
          head: 'Commitments in force',
          money: (one) => one.utilization.commitments,
          digits: 0,
          unknown: 'No commitment, or no rate to convert it',
        },
        { head: 'Balance', money: (one) => one.utilization.balance, digits: 0, unknown: NO_BALANCE },
        { head: APPROVED_NOT_DUE, money: (one) => one.utilization.approved, digits: 0, unknown: NO_BALANCE },
        { head: REQUESTED, money: (one) => one.utilization.requested, digits: 0, unknown: NO_BALANCE },
        { head: 'Undrawn', money: (one) => one.utilization.undrawn, digits: 0, unknown: NO_BALANCE },
        {
          head: 'Balance of commitments',
          numeric: true,
          cell: (one) => (
            <span className="inline-flex items-center gap-2">
              {one.utilization.utilizationPercent === null ? null : (
                <ShareBar fraction={one.utilization.utilizationPercent / 100} />
              )}
              <Percent value={one.utilization.utilizationPercent} digits={1} unknown={NO_BALANCE} />
            </span>
          ),
        },
      ]}
    />
  );
  if (!hasStack) return utilization;
  return (
    <>
      {utilization}
      <PanelSection title="Capital stack" note="attachment to detachment point" padded>
        <Stack notes={stack} current={note.id} />
      </PanelSection>
    </>
  );
}
