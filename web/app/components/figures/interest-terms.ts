import { DEFAULT_DAY_COUNT, type TransactionInterest } from '@tapeline/domain/facilities/terms.schema.ts';
import { formatPercent } from './format.ts';

/** Interest terms in one line: "SOFR + 4.25%, at least 7.5%, ACT/360". */
export function interestText(interest: TransactionInterest): string {
  const dayCount = interest.dayCount ?? DEFAULT_DAY_COUNT;
  if (interest.kind === 'fix') return `${formatPercent(interest.value, 2)} fixed, ${dayCount}`;
  const { baseRate, spread, minimumInterest, numberRange } = interest;
  return [
    `${baseRate} ${spread < 0 ? '−' : '+'} ${formatPercent(Math.abs(spread), 2)}`,
    ...(numberRange
      ? [`${baseRate} from ${formatPercent(numberRange.min, 2)} to ${formatPercent(numberRange.max, 2)}`]
      : []),
    ...(minimumInterest > 0 ? [`at least ${formatPercent(minimumInterest, 2)}`] : []),
    dayCount,
  ].join(', ');
}
