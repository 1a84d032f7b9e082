import { withoutValue } from './cell-reasons.ts';

/** The result of a mapping on one row of a file, as far as upload warnings need it. */
export interface TriedRow {
  readonly cells: readonly { readonly warning: string | null }[];
  readonly errors: readonly { readonly column: string; readonly reason: string }[];
}

/** If more than this share of the rows fail or have warnings, the mapping does not fit the file. */
const MAX_ROWS = 0.5;
const SHOWN_REASONS = 3;

/**
 * The warning before a file is processed, if the mapping fails on most of its first rows or makes implausible or empty
 * values of them; null if the mapping fits.
 * @param labels of the cells' fields
 */
export function uploadWarning(rows: readonly TriedRow[], labels: readonly string[]): string | null {
  const errored = rows.filter(({ errors }) => errors.length > 0);
  if (errored.length > rows.length * MAX_ROWS) {
    const reasons = errored.map(({ errors }) => errors.map(({ column, reason }) => `${column}: ${reason}`));
    return `${errored.length} of the first ${rows.length} rows would be errors with this mapping. ${commonest(reasons, 'for example ')}`;
  }
  const warned = rows.filter(({ cells, errors }) => errors.length === 0 && cells.some(({ warning }) => warning));
  if (warned.length > rows.length * MAX_ROWS) {
    const reasons = warned.map(({ cells }) =>
      cells.flatMap(({ warning }, index) => (warning ? [`${labels[index] ?? ''} ${warning}`] : [])),
    );
    return `${warned.length} of the first ${rows.length} rows would have warnings with this mapping. ${commonest(reasons)}`;
  }
  return null;
}

/** The reasons that most rows have, each once. Reasons that differ only in a quoted value count as the same. */
function commonest(reasons: readonly (readonly string[])[], before = ''): string {
  const kinds = new Map<string, { reason: string; rows: number }>();
  for (const ofRow of reasons) {
    for (const reason of new Set(ofRow)) {
      const kind = withoutValue(reason);
      const known = kinds.get(kind);
      if (known) known.rows += 1;
      else kinds.set(kind, { reason, rows: 1 });
    }
  }
  const most = [...kinds.values()].sort((a, b) => b.rows - a.rows).slice(0, SHOWN_REASONS);
  const listed = most.map(({ reason, rows }) => `${shortened(reason)} (${rows} ${rows === 1 ? 'row' : 'rows'})`);
  return `${before}${listed.join('; ')}`.replace(/^./, (letter) => letter.toUpperCase());
}

const LONGEST_REASON = 200;
const shortened = (reason: string): string =>
  reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
