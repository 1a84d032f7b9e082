import { formatFigure } from '../../../components/figures/format.ts';

/** How many assets a line has, with a sign if it changes how many assets there are: "+842", "391". */
export function changedCount({ before, after }: { before: number; after: number }): string {
  const change = after - before;
  if (change === 0) return formatFigure(after);
  return `${change > 0 ? '+' : '−'}${formatFigure(Math.abs(change))}`;
}
