import { compare, subtract } from '@tapeline/domain/money/decimal.ts';
import { capitalKeyFigures } from '../../../components/figures/capital-key-figures.tsx';
import { ShortNumber } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import type { KeyFigure } from '../../../components/page/key-figures.tsx';
import type { FundPage } from './fund-page.server.ts';

const NO_PERMISSION = 'You don’t have permission to see commitments';

/** What is committed, and whether that is more than the fund may take. */
function committedFigure(page: FundPage): KeyFigure {
  const { committed, currency, classes, isInvestor, hardCap } = page;
  const isAboveCap = !isInvestor && committed !== null && compare(committed, hardCap) > 0;
  const counts = [
    ...(isInvestor ? [] : [formatCount(page.investors, 'investor')]),
    ...(classes.length > 0 ? [formatCount(classes.length, 'class', 'classes')] : []),
  ].join(', ');
  return {
    label: isInvestor ? 'Your commitment' : 'Committed',
    value: <ShortNumber value={committed} zero="figure" unknown={NO_PERMISSION} />,
    unit: currency,
    ...(isAboveCap ? { tone: 'danger' as const } : {}),
    note: isAboveCap ? (
      <>
        exceeds the hard cap by <ShortNumber value={subtract(committed, hardCap)} />
      </>
    ) : (
      counts
    ),
  };
}

/** The strip of key figures of a fund. */
export const fundFigures = (page: FundPage): KeyFigure[] => [committedFigure(page), ...capitalKeyFigures(page.capital)];
