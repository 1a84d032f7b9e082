import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { KeyFigure } from '../page/key-figures.tsx';
import { ShortNumber, Unknown } from './figures.tsx';

const MAX_CURRENCIES = 3;

/**
 * A total as a key figure. Amounts in several currencies cannot be added up, so each is shown with its currency.
 * @param unknown why there is none
 */
export function totalFigure(totals: readonly Amount[], unknown: string): Pick<KeyFigure, 'value' | 'unit'> {
  const [only] = totals;
  if (!only) return { value: <Unknown reason={unknown} /> };
  if (totals.length === 1) return { value: <ShortNumber value={only.sum} zero="figure" />, unit: only.currency };
  return {
    value: (
      <span className="flex gap-4">
        {totals.slice(0, MAX_CURRENCIES).map(({ sum, currency }) => (
          <span key={currency}>
            <ShortNumber value={sum} zero="figure" />{' '}
            <small className="text-sm font-medium text-ink-3">{currency}</small>
          </span>
        ))}
      </span>
    ),
  };
}
