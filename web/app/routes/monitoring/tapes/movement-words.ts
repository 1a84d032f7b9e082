import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import type { MovementCellView } from './movement-table.ts';

/** The figures of a matrix cell: "62 assets, 831,204.11 USD". */
export function cellWords({ count, opening }: MovementCellView, currency: string): string {
  const assets = formatCount(count, 'asset');
  return opening === null || count === 0 ? assets : `${assets}, ${formatFigure(opening, 2)} ${currency}`;
}
