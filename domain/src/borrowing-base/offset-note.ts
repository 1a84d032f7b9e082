import { offsetBasis } from '../facilities/offset-words.ts';
import { formatCount } from '../money/format-figure.ts';
import type { OffsetResult } from './result.ts';

/** "Payables, the same on each asset of a Borrower id, 12 groups, the largest 4 are listed". */
export const offsetNote = (offset: OffsetResult, labels: Readonly<Record<string, string>>, listed: number): string =>
  [
    offsetBasis(offset, labels),
    formatCount(offset.groupCount, 'group'),
    ...(listed < offset.groupCount ? [`the largest ${listed} are listed`] : []),
  ].join(', ');
