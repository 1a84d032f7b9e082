import type { CheckRow, DrawMessage } from '@tapeline/domain/draws/checks.ts';
import { formatFigure } from '../../../components/figures/format.ts';

/** The name of each check, and what it measures. */
export const CHECK_TITLES: Readonly<Record<DrawMessage, readonly [title: string, note: string]>> = {
  'Missing data': ['Missing data', 'what the other checks need'],
  'Currency commitment exceeded': ['Currency commitment', 'balance in each currency'],
  'Total commitment exceeded': ['Total commitment', 'balance across currencies'],
  'Draw frequency exceeded': ['Draw frequency', 'number of draws'],
  'Draw limits exceeded': ['Draw limits', 'amounts of each draw type'],
  'Draw in deficit': ['Draw in deficit', 'balance and net borrowing base'],
  'Due Date limits exceeded': ['Due date limits', 'days after the cut-off date'],
};

type RowFacts = Pick<CheckRow, 'rule' | 'drawType' | 'currency' | 'interval'>;

/** What a row of a check measures: "Regular, at most". */
export function rowLabel({ rule, drawType, currency, interval }: RowFacts): string {
  const type = drawType ?? 'Draw';
  switch (rule) {
    case 'borrowingBase':
      return 'Borrowing base at the cut-off date';
    case 'commitments':
      return 'Commitments';
    case 'rate':
      return `Rate of ${currency}`;
    case 'currencyCommitment':
    case 'totalCommitment':
    case 'deficit':
      return currency ?? 'Main currency';
    case 'frequency':
      // 'Annualy' is the spelling of the API.
      return interval ? `${type}, ${interval === 'Annualy' ? 'annually' : interval.toLowerCase()}` : type;
    case 'minimum':
      return `${type}, at least`;
    case 'maximum':
      return `${type}, at most`;
    case 'percentage':
      return `${type}, share of commitments`;
    case 'maxAmount':
      return `${type}, outstanding`;
    case 'collectionAccount':
      return `${type}, collection account`;
    case 'minDays':
      return `${type}, at least`;
    case 'maxDays':
      return `${type}, at most`;
  }
}

/** A figure of a row in its unit: money with cents, counts and days without. */
export const rowFigure = (row: Pick<CheckRow, 'unit'>, value: string): string =>
  formatFigure(value, row.unit === 'money' ? 2 : 0);

/** Whether two facts are about the same row. */
export const isSameRow = (a: RowFacts, b: RowFacts): boolean =>
  a.rule === b.rule && a.drawType === b.drawType && a.currency === b.currency;
