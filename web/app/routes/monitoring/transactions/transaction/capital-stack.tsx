import { formatFigure } from '../../../../components/figures/format.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import type { FacilityTab } from '../transaction-page.server.ts';

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 36;

type Stacked = FacilityTab<'terms'>['tab']['stack'][number];

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
      className="w-full max-w-sm"
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

/** The notes by rank. Empty if none has one. */
export function CapitalStack({ page: { tab, note } }: { page: FacilityTab<'terms'> }) {
  if (tab.stack.every(({ priority }) => priority === null)) return null;
  return (
    <PanelSection title="Capital stack" note="attachment to detachment point" padded>
      <Stack notes={tab.stack} current={note.id} />
    </PanelSection>
  );
}
