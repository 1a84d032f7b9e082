import { type DecimalText, toNumber } from '@tapeline/domain/money/decimal.ts';
import { DELINQUENCY_BUCKETS, ROLL_LABELS, type RollOutcome } from '@tapeline/domain/pools/delinquency.ts';
import type { MovementMatrix } from '@tapeline/domain/pools/movements.ts';
import { sharesOf } from '@tapeline/domain/pools/shares.ts';
import { formatCount, writtenAmount } from '../../../components/figures/format.ts';
import { byStatus, statusLabel } from './pool-by-status.ts';

export type MovementMeasure = 'balance' | 'count';
type Meaning = 'same' | 'better' | 'worse' | 'none';

export interface MovementCellView {
  readonly to: string;
  /** Percentage of the row, to one decimal digit. A row's cells add up to 100.0 as displayed. */
  readonly points: number;
  readonly count: number;
  readonly opening: DecimalText | null;
}

/** A movement matrix as displayed in a heat map. */
export interface MovementTable {
  readonly columns: readonly { readonly key: string; readonly label: string }[];
  readonly rows: readonly {
    readonly key: string;
    readonly label: string;
    readonly count: number;
    readonly opening: DecimalText | null;
    readonly cells: readonly MovementCellView[];
  }[];
  /** The meaning of a cell, which determines its colour. */
  readonly meaning: (row: number, column: number) => Meaning;
}

/** The labels of a matrix's states, and whether a move from one to another is a decline. */
interface States {
  readonly label: (state: string) => string;
  readonly meaning: (from: string, to: string) => Meaning;
}

const DIGITS = 1;
const WHOLE_POINTS = 100;

function tableOf(matrix: MovementMatrix, measure: MovementMeasure, states: States): MovementTable {
  const weigh = (cell: { count: number; opening: DecimalText | null }) =>
    measure === 'count' ? String(cell.count) : (cell.opening ?? '0');
  // A state with an opening balance of zero (paid loans, by balance) has no shares to show.
  const shown = matrix.rows.flatMap((row) => {
    const points = sharesOf(row.cells.map(weigh), DIGITS, WHOLE_POINTS);
    return points === null ? [] : [{ row, points }];
  });
  const reached = new Set(shown.flatMap(({ row }) => row.cells.filter(({ count }) => count > 0).map(({ to }) => to)));
  const columns = matrix.rows[0]?.cells.map(({ to }) => to).filter((to) => reached.has(to)) ?? [];
  return {
    columns: columns.map((key) => ({ key, label: states.label(key) })),
    rows: shown.map(({ row, points }) => ({
      key: row.from,
      label: states.label(row.from),
      count: row.count,
      opening: row.opening,
      cells: row.cells.flatMap(({ to, count, opening }, index) =>
        reached.has(to) ? [{ to, count, opening, points: toNumber(points[index] ?? '0') }] : [],
      ),
    })),
    meaning(row, column) {
      const [from, to] = [shown[row]?.row.from, columns[column]];
      return from === undefined || to === undefined ? 'none' : states.meaning(from, to);
    },
  };
}

/** Statuses with a good outcome. Reaching one is never a decline, however late it is in the order. */
const REPAID = new Set(['paid', 'prePaid']);
const severity = (status: string) => (REPAID.has(status) ? 'current' : status);

const STATUSES: States = {
  label: (status) => (status === 'vanished' ? ROLL_LABELS.vanished : statusLabel(status)),
  meaning(from, to) {
    if (to === 'vanished') return 'none';
    if (to === from) return 'same';
    return byStatus(severity(to), severity(from)) <= 0 ? 'better' : 'worse';
  },
};

/** Movements between statuses as a table. Uses floating point, because the figures are only drawn. */
export const statusTable = (matrix: MovementMatrix, measure: MovementMeasure): MovementTable =>
  tableOf(matrix, measure, STATUSES);

const PLACES: ReadonlyMap<string, number> = new Map(DELINQUENCY_BUCKETS.map((bucket, index) => [bucket, index]));
const placeOf = (state: string) => (state === 'paidOff' ? 0 : (PLACES.get(state) ?? 0));

const BUCKETS: States = {
  label: (state) => ROLL_LABELS[state as RollOutcome],
  meaning(from, to) {
    if (to === from) return 'same';
    if (to === 'vanished' || to === 'unknown' || from === 'unknown') return to === 'paidOff' ? 'better' : 'none';
    return placeOf(to) <= placeOf(from) ? 'better' : 'worse';
  },
};

/** Movements between buckets of days past due, as a table. */
export const rollTable = (matrix: MovementMatrix, measure: MovementMeasure): MovementTable =>
  tableOf(matrix, measure, BUCKETS);

/** The figures of a matrix cell: "62 assets, 831,204.11 USD". */
export function cellWords({ count, opening }: MovementCellView, currency: string): string {
  const assets = formatCount(count, 'asset');
  return opening === null || count === 0 ? assets : `${assets}, ${writtenAmount({ sum: opening, currency })}`;
}
