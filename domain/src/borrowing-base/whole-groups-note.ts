import { formatCount, formatFigure } from '../money/format-figure.ts';
import type { WholeGroupResult } from './result.ts';

/** "12 groups of 401 excluded, from 25%, the largest 4". */
export const wholeGroupsNote = (
  {
    failedGroupCount,
    groupCount,
    percent: least,
  }: Pick<WholeGroupResult, 'failedGroupCount' | 'groupCount' | 'percent'>,
  listed: number,
): string =>
  [
    `${formatCount(failedGroupCount, 'group')} of ${formatFigure(groupCount)} excluded, from ${formatFigure(least)}%`,
    ...(listed < failedGroupCount ? [`the largest ${listed} are listed`] : []),
  ].join(', ');
