import { compare, subtract } from '@tapeline/domain/money/decimal.ts';
import { capitalKeyFigures } from '../../../components/figures/capital-key-figures.tsx';
import { Percent, ShareBar, ShortNumber } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import type { KeyFigure } from '../../../components/page/key-figures.tsx';
import type { FundPage } from './fund-page.server.ts';
import { percentOf } from './share-of.ts';

const NO_PERMISSION = 'You don’t have permission to see commitments';

function CommittedOf({ page, whole }: { page: FundPage; whole: string }) {
  const share = page.committed === null ? null : percentOf(page.committed, whole);
  if (share === null) return null;
  return (
    <>
      <ShareBar fraction={Number(share) / 100} /> <Percent value={share} digits={1} /> committed
    </>
  );
}

/** What is committed, against the target size and the hard cap. */
function commitmentFigures(page: FundPage): KeyFigure[] {
  const { committed, currency, classes, isInvestor, targetSize, hardCap } = page;
  const isAboveCap = !isInvestor && committed !== null && compare(committed, hardCap) > 0;
  return [
    {
      label: isInvestor ? 'Your commitment' : 'Committed',
      value: <ShortNumber value={committed} zero="figure" unknown={NO_PERMISSION} />,
      unit: currency,
      note: [
        ...(isInvestor ? [] : [formatCount(page.investors, 'investor')]),
        ...(classes.length > 0 ? [formatCount(classes.length, 'class', 'classes')] : []),
      ].join(', '),
    },
    {
      label: 'Target size',
      value: <ShortNumber value={targetSize} zero="figure" />,
      unit: currency,
      note: isInvestor ? null : <CommittedOf page={page} whole={targetSize} />,
    },
    {
      label: 'Hard cap',
      value: <ShortNumber value={hardCap} zero="figure" />,
      unit: currency,
      tone: isAboveCap ? 'danger' : undefined,
      note:
        isInvestor || committed === null ? null : isAboveCap ? (
          <>
            exceeded by <ShortNumber value={subtract(committed, hardCap)} />
          </>
        ) : (
          <>
            <ShortNumber value={subtract(hardCap, committed)} zero="figure" /> left
          </>
        ),
    },
  ];
}

/** The strip of key figures of a fund. */
export const fundFigures = (page: FundPage): KeyFigure[] => [
  ...commitmentFigures(page),
  ...capitalKeyFigures(page.capital),
];
