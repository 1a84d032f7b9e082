import type { CovenantState } from '@tapeline/domain/covenants/covenant-labels.ts';
import { STATE_TONES } from './covenant-tones.ts';

const WIDTH = 64;
const HEIGHT = 26;
const EDGE = 4;

const POINTS = {
  danger: 'var(--danger)',
  warning: 'var(--chart-2)',
  good: 'var(--chart-1)',
  accent: 'var(--chart-1)',
  neutral: 'var(--ink-3)',
} as const;

/** The last values of a test as a line, with its limit dashed. The figures are beside it. */
export function ResultTrend({
  state,
  values,
  limit,
}: {
  state: CovenantState;
  values: readonly number[];
  limit: number | null;
}) {
  if (values.length === 0) return null;
  const all = limit === null ? values : [...values, limit];
  const low = Math.min(...all);
  const span = Math.max(...all) - low || 1;
  const y = (value: number) => HEIGHT - EDGE - ((value - low) / span) * (HEIGHT - 2 * EDGE);
  const x = (index: number) =>
    values.length === 1 ? WIDTH / 2 : EDGE + (index / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const points = values.map((value, index) => ({ x: x(index), y: y(value), key: `${index}` }));
  const last = points.at(-1);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-6 w-16 flex-none">
      {limit === null ? null : (
        <line x1="0" x2={WIDTH} y1={y(limit)} y2={y(limit)} stroke="var(--ink-3)" strokeDasharray="2.5 2" />
      )}
      <polyline
        points={points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--ink-2)"
        strokeWidth="1.25"
        strokeLinejoin="round"
      />
      {points.map((point) => (
        <circle
          key={point.key}
          cx={point.x}
          cy={point.y}
          r={point === last ? 2.6 : 1.6}
          fill={point === last ? POINTS[STATE_TONES[state]] : 'var(--ink-2)'}
        />
      ))}
    </svg>
  );
}
