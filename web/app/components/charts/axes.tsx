import { formatShort } from '../figures/format.ts';
import type { ValueScale } from './scales.ts';

export interface ChartMargins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Formats a tick for reading: whole numbers without decimals ("150M"), other numbers with as many as they need. */
export function tickLabel(value: number): string {
  return formatShort(value.toPrecision(6).includes('e') ? String(value) : String(Number(value.toPrecision(6))))
    .replace(/\.0+(?=[KMB]?$)/, '')
    .replace(/(\.\d*?)0+(?=[KMB]?$)/, '$1');
}

/** Horizontal hairlines with their values on the left. */
export function ValueAxis({
  scale,
  widthPx,
  margins,
  ticks = 4,
  format = tickLabel,
}: {
  scale: ValueScale;
  widthPx: number;
  margins: ChartMargins;
  ticks?: number;
  format?: (value: number) => string;
}) {
  return (
    <g>
      {scale.ticks(ticks).map((tick) => (
        <g key={tick} transform={`translate(0 ${scale(tick)})`}>
          <line x1={margins.left} x2={widthPx - margins.right} stroke="var(--line)" />
          <text x={margins.left - 8} dy="0.32em" textAnchor="end" className="fill-ink-3 text-2xs">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Wraps a label to at most two lines of about `characters` each. */
export function wrapLabel(label: string, characters: number): string[] {
  if (label.length <= characters) return [label];
  const words = label.split(' ');
  let first = words.shift() ?? '';
  while (words[0] && `${first} ${words[0]}`.length <= characters) first += ` ${words.shift()}`;
  const cut = (line: string) => (line.length > characters + 2 ? `${line.slice(0, characters + 1)}\u2026` : line);
  const rest = words.join(' ');
  return rest ? [cut(first), cut(rest)] : [cut(first)];
}

const CHARACTER_PX = 6.4;
const LINE_PX = 14;

const linesOf = (label: string, bandPx: number) => wrapLabel(label, Math.max(4, Math.floor(bandPx / CHARACTER_PX)));

/** Height of the band labels under the axis, so that a chart is no taller than it needs to be. */
export const bandLabelsPx = (labels: readonly string[], bandPx: number): number =>
  Math.max(1, ...labels.map((label) => linesOf(label, bandPx).length)) * LINE_PX + 16;

/** A label of up to two lines under the middle of a band, moved as far as it needs to end before `endPx`. */
export function BandLabel({
  x: middle,
  y,
  label,
  bandPx,
  endPx,
}: {
  x: number;
  y: number;
  label: string;
  bandPx: number;
  endPx: number;
}) {
  const lines = linesOf(label, bandPx);
  const halfPx = (Math.max(...lines.map((line) => line.length)) * CHARACTER_PX) / 2;
  const x = Math.min(middle, endPx - halfPx);
  return (
    <text x={x} y={y} textAnchor="middle" className="fill-ink-2 text-xs">
      {lines.map((line, index) => (
        <tspan key={line} x={x} dy={index === 0 ? 0 : LINE_PX}>
          {line}
        </tspan>
      ))}
    </text>
  );
}
