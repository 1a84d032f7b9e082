import type { ImportRow, ImportRowResult } from '@tapeline/domain/importer/check.ts';
import type { TotalRow } from '@tapeline/domain/importer/draft.ts';
import { type ImportKind, isTimeSeriesKind } from '@tapeline/domain/importer/kinds.ts';
import { add, compare, type DecimalText, isDecimal, subtract } from '@tapeline/domain/money/decimal.ts';

/** The amounts of a file by what the check says of their rows, to compare with the file's own total. */
export interface ControlTotal {
  readonly currency: string;
  readonly ok: { readonly count: number; readonly sum: DecimalText };
  readonly withProblems: { readonly count: number; readonly sum: DecimalText };
  /** Rows whose amount is no number. */
  readonly unreadableCount: number;
  readonly sum: DecimalText;
  /** What the file says, where it says it, and how far the rows are from it. */
  readonly own: { readonly sum: DecimalText; readonly cell: string; readonly difference: DecimalText } | null;
}

const AMOUNT = 'defaultValue';

/** Null for kinds without amounts, for a file without a column of amounts, and for amounts in several currencies. */
export function controlTotalOf(
  kind: ImportKind,
  {
    rows,
    results,
    totalRows,
    mapping,
  }: {
    rows: readonly ImportRow[];
    results: readonly Pick<ImportRowResult, 'row' | 'problems'>[];
    totalRows: readonly TotalRow[];
    mapping: Readonly<Record<string, string>>;
  },
): ControlTotal | null {
  const letters = mapping[AMOUNT];
  if (!isTimeSeriesKind(kind) || letters === undefined) return null;
  const wrong = new Set(results.flatMap(({ row, problems }) => (problems.length > 0 ? [row] : [])));
  const right = rows.filter(({ row }) => !wrong.has(row));
  const currencies = new Set(
    (right.length > 0 ? right : rows).map(({ cells }) => (cells.currency ?? '').toUpperCase()),
  );
  const [currency] = currencies;
  if (currency === undefined || currency === '' || currencies.size > 1) return null;
  const parts = { ok: { count: 0, sum: '0' }, withProblems: { count: 0, sum: '0' } };
  let unreadableCount = 0;
  for (const { row, cells } of rows) {
    const amount = cells[AMOUNT];
    if (!isDecimal(amount)) {
      unreadableCount += 1;
      continue;
    }
    const part = wrong.has(row) ? parts.withProblems : parts.ok;
    part.count += 1;
    part.sum = add(part.sum, amount);
  }
  const sum = add(parts.ok.sum, parts.withProblems.sum);
  const last = totalRows.findLast(({ sums }) => isDecimal(sums[AMOUNT]));
  const own = last?.sums[AMOUNT];
  return {
    currency,
    ...parts,
    unreadableCount,
    sum,
    own:
      last === undefined || own === undefined
        ? null
        : { sum: own, cell: `${letters}${last.row}`, difference: subtract(sum, own) },
  };
}

export const addsUp = ({ own }: ControlTotal): boolean => own !== null && compare(own.difference, '0') === 0;
