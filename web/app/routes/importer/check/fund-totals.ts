import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import type { ImportFundTotal, ImportTotal } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { compare, type DecimalText, subtract, sum } from '@tapeline/domain/money/decimal.ts';

/** The field of an import's totals that adds up the amounts of its rows, and how a person calls it. */
export const AMOUNT_FIELDS: Partial<Readonly<Record<ImportKind, { readonly field: string; readonly label: string }>>> =
  {
    contributions: { field: 'amount', label: 'Called' },
    distributions: { field: 'totalDistributed', label: 'Distributed' },
    LPCommitments: { field: 'activeCommitment', label: 'Committed' },
    navs: { field: 'net', label: 'Net asset value' },
  };

/** Funds that are listed: those that get the most. */
const MAX_FUNDS = 12;

type Change = readonly [before: DecimalText, after: DecimalText];

export interface FundLine {
  readonly key: string;
  readonly title: string;
  readonly counts: Change;
  readonly sums: Change;
  readonly isAll: boolean;
}

export const addedBy = ([before, after]: Change): DecimalText => subtract(after, before);

/** One line for each fund and class that the rows name, one for the other funds, and one for all, in one currency. */
export function fundLinesOf(
  field: string,
  { funds, before, after }: { funds: readonly ImportFundTotal[]; before: ImportTotal | undefined; after: ImportTotal },
): FundLine[] {
  const lines = funds
    .filter(({ currency }) => currency === after.currency)
    .map(
      (one): FundLine => ({
        key: JSON.stringify([one.fundId, one.classKey]),
        title: one.classKey === null ? one.title : `${one.title}, ${classTitle(one.className ?? one.classKey)}`,
        counts: [String(one.before.count), String(one.after.count)],
        sums: [one.before.sum, one.after.sum],
        isAll: false,
      }),
    );
  const most = new Set(lines.toSorted((a, b) => compare(addedBy(b.sums), addedBy(a.sums))).slice(0, MAX_FUNDS));
  const shown = lines.filter((line) => most.has(line));
  const counts: Change = [String(before?.count ?? 0), String(after.count)];
  const sums: Change = [before?.sums[field] ?? '0', after.sums[field] ?? '0'];
  const without = (all: Change, of: 'counts' | 'sums'): Change => [
    subtract(all[0], sum(shown.map((line) => line[of][0]))),
    subtract(all[1], sum(shown.map((line) => line[of][1]))),
  ];
  const others: FundLine = {
    key: 'others',
    title: 'Other funds',
    counts: without(counts, 'counts'),
    sums: without(sums, 'sums'),
    isAll: false,
  };
  return [
    ...shown,
    ...(others.counts.every((count) => count === '0') ? [] : [others]),
    { key: 'all', title: 'All funds', counts, sums, isAll: true },
  ];
}
