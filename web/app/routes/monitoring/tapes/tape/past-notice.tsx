import { Link } from '@remix-run/react';
import { DateText, Name } from '../../../../components/figures/figures.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import type { AssetsView } from '../tape-head.ts';

/** Says that the assets, or their results, are those of an earlier borrowing base, and leads to the current ones. */
export function PastNotice({
  tapeId,
  view,
  past,
}: {
  tapeId: string;
  /** The open tab. */
  view: string;
  past: NonNullable<AssetsView['past']>;
}) {
  const { base, isEarlier, isSuperseded, mappingVersion } = past;
  const borrowingBase = (
    <>
      <Link to={paths.borrowingBase(base.id)} className="underline">
        borrowing base of <Name length={60}>{base.note}</Name>
      </Link>
      , calculated <DateText value={base.calculatedAt} time />
    </>
  );
  const current = paths.tape(tapeId, view === 'assets' ? {} : { view });
  return (
    <Notice tone="warning" action={<Link to={current}>Current assets</Link>}>
      {isEarlier ? (
        <>
          These are the earlier assets of the {borrowingBase}
          {mappingVersion === null ? '' : `, with mapping v${mappingVersion}`}. The tape was republished after this
          calculation
          {isSuperseded ? ', and the borrowing base was calculated again' : ''}.
        </>
      ) : (
        <>The results shown are those of the {borrowingBase}. It was superseded by a later calculation.</>
      )}
    </Notice>
  );
}
