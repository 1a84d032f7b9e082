import { decimalOf } from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import type { ReserveKind } from './contract.schema.ts';

/** How a reserve is calculated, in parts: the values in it stand out on screens. */
export type ReserveWords = readonly { readonly text: string; readonly isValue?: true }[];

/** "2 months at 9% on the balance", "1% of Total Eligible & Performing Pool". */
export function reserveWords(reserve: {
  kind: ReserveKind;
  /** Null in a certificate, which has the amount beside it. */
  amount: number | string | null;
  percent: number | string | null;
  months: number | string | null;
  of: string | null;
}): ReserveWords {
  const value = (text: string) => ({ text, isValue: true }) as const;
  const figure = (number: number | string | null) => formatFigure(decimalOf(number ?? 0));
  // With all its digits, so that the amount can be calculated again.
  const percent = value(`${figure(reserve.percent)}%`);
  switch (reserve.kind) {
    case 'amount':
      return reserve.amount === null
        ? [{ text: 'Fixed amount' }]
        : [{ text: 'Fixed amount of ' }, value(figure(reserve.amount))];
    case 'percentage':
      return [percent, { text: ' of ' }, value(reserve.of ?? '')];
    case 'months': {
      const months = figure(reserve.months);
      return [
        value(`${months} ${months === '1' ? 'month' : 'months'}`),
        { text: ' at ' },
        percent,
        { text: ' on the balance' },
      ];
    }
  }
}

/** How a reserve of a certificate is calculated. Its amount is shown beside it. */
export const reserveBasis = (reserve: Omit<Parameters<typeof reserveWords>[0], 'amount'>): string =>
  reserveWords({ ...reserve, amount: null })
    .map(({ text }) => text)
    .join('');
