import type { PrintedStep } from '@tapeline/domain/printing/printed-document.ts';
import { scaleBand, scaleLinear } from 'd3-scale';
import { COLOURS, type Page, type TextStyle } from './page.ts';

const HEIGHT = 168;
const AXIS_WIDTH = 40;
const LABEL: TextStyle = { size: 7, weight: 400, colour: COLOURS.ink2 };
const VALUE: TextStyle = { size: 7.5, weight: 600, colour: COLOURS.ink };

function colourOf({ tone, kind, value }: PrintedStep): string {
  if (tone === 'quiet') return COLOURS.chart4;
  if (tone === 'result') return value < 0 ? COLOURS.danger : COLOURS.good;
  return kind === 'level' ? COLOURS.chart1 : COLOURS.chart2;
}

const SUFFIXES = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

function tickText(value: number): string {
  const sign = value < 0 ? '\u2212' : '';
  const magnitude = Math.abs(value);
  const [unit, suffix] = SUFFIXES.find(([limit]) => magnitude >= limit) ?? [1, ''];
  return `${sign}${Number((magnitude / unit).toFixed(2))}${suffix}`;
}

/** The waterfall of the screens as vectors: levels from the axis, changes from the end of the bar before. */
export function drawWaterfall(page: Page, steps: readonly PrintedStep[]): void {
  let level = 0;
  const bars = steps.map((step) => {
    const from = step.kind === 'level' ? 0 : level;
    level = step.kind === 'level' ? step.value : level + step.value;
    return { step, from, to: level };
  });
  const ends = bars.flatMap(({ from, to }) => [from, to]);
  const top = page.y + 12;
  const bottom = page.y + HEIGHT;
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([page.left + AXIS_WIDTH, page.right])
    .paddingInner(0.34);
  const y = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(0, ...ends) || 1])
    .range([bottom, top]);
  page.figure(steps.map(({ label, shown }) => `${label} ${shown}`).join(', '), () => {
    for (const tick of y.ticks(4)) {
      page.stroke(page.left + AXIS_WIDTH, y(tick), page.right, y(tick), COLOURS.line);
      page.label(tickText(tick), LABEL, page.left + AXIS_WIDTH - 6, y(tick) - 4, 'right');
    }
    for (const [index, { step, from, to }] of bars.entries()) {
      const left = x(index) ?? 0;
      const middle = left + x.bandwidth() / 2;
      const upper = Math.min(y(from), y(to));
      const next = x(index + 1);
      if (next !== undefined) page.stroke(left + x.bandwidth(), y(to), next, y(to), COLOURS.lineStrong, true);
      page.bar(left, upper, x.bandwidth(), Math.max(Math.abs(y(from) - y(to)), 0.8), colourOf(step));
      page.label(step.shown, VALUE, middle, upper - 10.5, 'center');
      const longest = step.label.split(' ').reduce((a, b) => (a.length < b.length ? b : a), '');
      const style = page.fitted(longest, LABEL, x.step() - 3, 5);
      const lines = page.wrap(step.label, style, x.step() - 3, 2);
      for (const [line, text] of lines.entries()) page.label(text, style, middle, bottom + 5 + line * 9, 'center');
    }
  });
  page.down(HEIGHT + 44);
}
