import { moreOrLess } from '../errors/reason.ts';
import type { ImportProblem, ImportRow } from './check.ts';
import type { ImportColumn } from './columns.ts';

/** Insertions, deletions and replacements that turn one text into another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const MAX_LETTERS = 60;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The allowed value that was probably meant: the only one that differs by at most a third of its letters. */
export function closestOf(text: string, values: readonly string[]): string | null {
  const meant = plain(text);
  if (meant === '' || meant.length > MAX_LETTERS) return null;
  const near = values
    .map((value) => ({ value, apart: distance(meant, plain(value)) }))
    .filter(({ value, apart }) => apart * 3 <= plain(value).length)
    .toSorted((a, b) => a.apart - b.apart);
  const [first, second] = near;
  return first && first.apart !== second?.apart ? first.value : null;
}

/** Other words for allowed values, by column. */
const OTHER_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  investorType: {
    limitedpartner: 'LP',
    investor: 'LP',
    lps: 'LP',
    feeder: 'fund',
    feederfund: 'fund',
    fundoffunds: 'fund',
  },
  strategy: {
    assetbasedlending: 'ABL',
    assetbased: 'ABL',
  },
};

const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  $: 'USD',
  us$: 'USD',
  usdollar: 'USD',
  usdollars: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  sterling: 'GBP',
};

/** A value that a person can take over with one click. */
export interface Proposal {
  readonly value: string;
  /** What it is, if the value does not say it: the name of an investor. */
  readonly title: string | null;
}

const value = (text: string | null | undefined): Proposal | null =>
  text === null || text === undefined ? null : { value: text, title: null };

/**
 * What was probably meant by the cell of a problem; null if nothing is likely. It is offered, and never applied by
 * itself.
 */
export function proposalOf(
  { key, values, type }: Pick<ImportColumn, 'key' | 'values' | 'type'>,
  cell: string,
  { reason }: Pick<ImportProblem, 'reason'>,
): Proposal | null {
  if (cell !== '' && values) return value(OTHER_WORDS[key]?.[plain(cell)] ?? closestOf(cell, values));
  if (type === 'currency') {
    const ofFund = reason?.code === 'fundCurrency' ? reason.data.currency : undefined;
    return value(ofFund ?? CURRENCY_WORDS[plain(cell)] ?? CURRENCY_WORDS[cell.toLowerCase()]);
  }
  if (key === 'fundClassCode') {
    if (reason?.code === 'noClasses') return value('');
    const keys = reason?.code === 'unknownClass' ? reason.data.keys : [];
    const bare = cell.replace(/^(share |fund )?class /i, '');
    return value(keys.find((one) => one.toLowerCase() === bare.toLowerCase()) ?? closestOf(cell, keys));
  }
  if (type === 'decimal') {
    if (reason?.code === 'notTheSum') {
      const { total, difference } = reason.data;
      return {
        value: total,
        title: difference === undefined ? null : `, where the file has ${moreOrLess(difference)}`,
      };
    }
    const isNegative = reason?.code === 'atLeastZero' || reason?.code === 'aboveZero';
    return isNegative && /^-\d/.test(cell) ? value(cell.slice(1)) : null;
  }
  return null;
}

/** What else decides about a cell, by column. */
const DEPENDS_ON: Readonly<Record<string, string>> = {
  fundClassCode: 'fundCode',
  currency: 'fundCode',
  investorCode: 'investorType',
};

/**
 * Cells of a column with the same answer mean the same, so that one correction fits all of them. Null for amounts, which
 * are the same by chance.
 */
export function sameCells({ key, type }: Pick<ImportColumn, 'key' | 'type'>, cells: ImportRow['cells']): string | null {
  if (type === 'decimal') return null;
  return JSON.stringify([key, cells[key] ?? '', cells[DEPENDS_ON[key] ?? ''] ?? '']);
}
