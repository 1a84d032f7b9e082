import { DEFAULT_DAY_COUNT, type TransactionInterest } from '@tapeline/domain/facilities/terms.schema.ts';
import { pricingInWords, type TermNames } from '@tapeline/domain/facilities/terms-in-words.ts';
import { formatRate } from './format.ts';

/** Interest terms in one line: "SOFR + 4.25%, at least 7.5%, ACT/360". */
export function interestText(interest: TransactionInterest, names: TermNames): string {
  const dayCount = interest.dayCount ?? DEFAULT_DAY_COUNT;
  const priced = pricingInWords(interest, names);
  if (interest.kind === 'fix') return [`${formatRate(interest.value)} fixed`, ...priced, dayCount].join(', ');
  const { baseRate, spread, minimumInterest, numberRange } = interest;
  return [
    `${baseRate} ${spread < 0 ? '−' : '+'} ${formatRate(Math.abs(spread))}`,
    ...(numberRange ? [`${baseRate} from ${formatRate(numberRange.min)} to ${formatRate(numberRange.max)}`] : []),
    ...(minimumInterest > 0 ? [`at least ${formatRate(minimumInterest)}`] : []),
    ...priced,
    dayCount,
  ].join(', ');
}
