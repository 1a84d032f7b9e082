import type { StatusMove } from '@tapeline/db/lake/status-migration.ts';
import { byStatus, statusLabel } from './pool-by-status.ts';

export interface MigrationTable {
  readonly columns: string[];
  readonly rows: { label: string; cells: { points: number }[] }[];
  /** What a cell means for its colour. */
  readonly meaning: (row: number, column: number) => 'same' | 'better' | 'worse' | 'none';
}

/** Statuses that end well, so that reaching them is no decline however late they stand in the order. */
const SETTLED = new Set(['paid', 'prePaid']);
const LEFT = 'Left the tape';

const severity = (status: string) => (SETTLED.has(status) ? 'current' : status);

/** Moves as a table of shares in points of each row's opening balance or count. Floating point: it is drawn, not counted on. */
export function migrationTable(moves: readonly StatusMove[], measure: 'balance' | 'count'): MigrationTable {
  const to = [...new Set(moves.flatMap((move) => move.to ?? []))].sort(byStatus);
  const anyLeft = moves.some((move) => move.to === null);
  const targets: (string | null)[] = anyLeft ? [...to, null] : to;
  const weigh = (move: StatusMove) => (measure === 'count' ? move.count : Number(move.outstanding ?? 0));
  // A status that opened with nothing (paid loans, by balance) has no shares to show.
  const opened = moves.filter((move) => weigh(move) > 0);
  const from = [...new Set(opened.map((move) => move.from))].sort(byStatus);
  return {
    columns: targets.map((target) => (target === null ? LEFT : statusLabel(target))),
    rows: from.map((status) => {
      const own = moves.filter((move) => move.from === status);
      const opening = own.reduce((total, move) => total + weigh(move), 0);
      return {
        label: statusLabel(status),
        cells: targets.map((target) => {
          const move = own.find((one) => one.to === target);
          return { points: move ? (weigh(move) / opening) * 100 : 0 };
        }),
      };
    }),
    meaning(row, column) {
      const [before, after] = [from[row], targets[column]];
      if (before === undefined || after === null || after === undefined) return 'none';
      const order = byStatus(severity(after), severity(before));
      if (after === before) return 'same';
      return order <= 0 ? 'better' : 'worse';
    },
  };
}
