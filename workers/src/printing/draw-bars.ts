import type { PrintedBlock } from '@tapeline/domain/printing/printed-document.ts';
import { scaleBand, scaleLinear } from 'd3-scale';
import { drawTitle } from './draw-text.ts';
import { COLOURS, type Page, type TextStyle } from './page.ts';

const HEIGHT = 56;
const LABEL: TextStyle = { size: 7.9, weight: 400, colour: COLOURS.ink2 };
const GROUP: TextStyle = { ...LABEL, colour: COLOURS.ink3 };

/** Bars from zero, of which the last one is the present. */
export function drawBars(page: Page, { title, note, bars }: Extract<PrintedBlock, { kind: 'bars' }>): void {
  drawTitle(page, { title, isRoomy: true });
  page.text(note, LABEL);
  page.down(22);
  const values = bars.map(({ value }) => value);
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([page.left, page.right])
    .paddingInner(0.44)
    .paddingOuter(0.06);
  const y = scaleLinear()
    .domain([Math.min(0, ...values), Math.max(0, ...values) || 1])
    .range([page.y + HEIGHT, page.y]);
  page.figure(
    bars.map(({ label, group, shown }) => `${[label, group].filter(Boolean).join(' ')} ${shown}`).join(', '),
    () => {
      for (const [index, { label, group, value, shown }] of bars.entries()) {
        const left = x(index) ?? 0;
        const middle = left + x.bandwidth() / 2;
        const isLast = index === bars.length - 1;
        const top = Math.min(y(value), y(0));
        page.bar(
          left,
          top,
          x.bandwidth(),
          Math.max(Math.abs(y(value) - y(0)), 0.8),
          isLast ? COLOURS.ink : COLOURS.bar,
        );
        const style = isLast ? { ...LABEL, weight: 600 as const, colour: COLOURS.ink } : LABEL;
        page.label(shown, page.fitted(shown, style, x.step(), 5), middle, top - 11, 'center');
        page.label(label, LABEL, middle, page.y + HEIGHT + 5, 'center');
        if (group) page.label(group, GROUP, middle, page.y + HEIGHT + 15.5, 'center');
      }
      page.stroke(page.left, y(0), page.right, y(0), COLOURS.ink);
    },
  );
  page.down(HEIGHT + 34);
}
