import { paths } from '../../../paths.ts';
import type { FundTab } from './fund-page.server.ts';

export type FeePage = FundTab<'terms'>;
export type ReadFees = NonNullable<FeePage['tab']['fees']>;
export type ShownFees = NonNullable<ReadFees['fees']>;

/** Leads to the same tab and period. */
export const feePath = (
  page: FeePage,
  { period }: Pick<ReadFees, 'period'>,
  more: { investor?: string; waterfall?: string } = {},
) =>
  paths.fund(page.id, {
    view: 'terms',
    ...(page.date === page.today ? {} : { date: page.date }),
    from: period.from,
    until: period.until,
    ...more,
  });
