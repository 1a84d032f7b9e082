import { decimalOf, round } from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import type { ReserveKind } from './contract.schema.ts';

/** How a reserve is calculated, in parts: the values in it stand out on screens. */
export type ReserveWords = readonly { readonly text: string; readonly isValue?: true }[];

/** "2 months at 9% on the balance", "1% of Total Eligible & Performing Pool", "Credits above 5% of Sales in 12 months, on Total Relevant Pool". */
export function reserveWords(reserve: {
  kind: ReserveKind;
  /** Null in a certificate, which has the amount beside it. */
  amount: number | string | null;
  percent: number | string | null;
  months: number | string | null;
  of: string | null;
  /** Of a dilution: the names of its figures; null for other kinds, and in certificates of earlier versions. */
  credits?: string | null;
  sales?: string | null;
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
    case 'dilution':
      return [
        value(reserve.credits ?? ''),
        { text: ' above ' },
        percent,
        { text: ' of ' },
        value(reserve.sales ?? ''),
        { text: ' in 12 months, on ' },
        value(reserve.of ?? ''),
      ];
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
export const reserveBasis = ({
  dilution,
  ...reserve
}: Omit<Parameters<typeof reserveWords>[0], 'amount' | 'credits' | 'sales'> & {
  dilution?: { credits: string; sales: string; sums: { ratioPercent: string | null } | null };
}): string => {
  const words = reserveWords({ ...reserve, ...dilution, amount: null }).map(({ text }) => text);
  const ratio = dilution?.sums?.ratioPercent;
  return `${words.join('')}${ratio ? ` (${formatFigure(round(ratio, 2), 2)}% in all)` : ''}`;
};

/** Why the amount of a reserve is unknown. */
export const unknownReserve = ({ kind }: { kind: ReserveKind }): string =>
  kind === 'dilution' ? 'figures of the last 12 months are missing' : 'balance not recorded';
