import { Link } from '@remix-run/react';
import { Notice } from '../../components/page/notice.tsx';
import { formatDuration, formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import type { TapeHead } from '../../tapes/tape-head.ts';

/** How often the page is read anew by a browser without JavaScript, while the tape is in work. */
const REFRESH_SECONDS = 3;

/** What is to be known at once: how far it is, why it failed, what could not be read. */
export function TapeNotices({ head }: { head: TapeHead }) {
  const { counts } = head;
  return (
    <>
      {head.isInWork || head.basesInWork ? (
        <noscript>
          <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
        </noscript>
      ) : null}
      {head.isInWork ? (
        <Notice>
          <span className="figures">
            {head.percent ? `${formatFigure(head.percent)} % done` : 'The tape is being read'}
            {head.timeLeftMs === null ? '' : `, about ${formatDuration(Math.max(1000, head.timeLeftMs))} left`}.
          </span>{' '}
          You may leave this page: the work goes on.
        </Notice>
      ) : null}
      {head.failure ? (
        <Notice tone="danger">
          {head.failure} {head.may.retry ? 'Nothing was stored. Mend what it names and try again.' : null}
        </Notice>
      ) : null}
      {counts && counts.errored > 0 ? (
        <Notice tone="warning" action={<Link to={paths.tape(head.id, { view: 'errored' })}>Review errored rows</Link>}>
          {formatFigure(counts.errored)} of {formatFigure(counts.dataRows)} rows could not be read as assets. Nothing of
          them is lost: each is kept with its reasons.
        </Notice>
      ) : null}
      {head.notice ? <Notice tone="warning">{head.notice}</Notice> : null}
      {head.basesInWork && !head.isInWork ? <Notice>The borrowing bases are being calculated.</Notice> : null}
      {head.basesFailed.map(({ note, failure }) => (
        <Notice key={note} tone="warning">
          {note}: {failure}
        </Notice>
      ))}
    </>
  );
}
