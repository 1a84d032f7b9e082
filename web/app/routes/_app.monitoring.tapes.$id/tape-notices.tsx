import { Link, useSearchParams } from '@remix-run/react';
import { AskOnPage } from '../../components/overlays/ask-on-page.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { formatCount, formatDuration, formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import type { TapeHead } from '../../tapes/tape-head.ts';

/** How often the page is read anew by a browser without JavaScript, while the tape is in work. */
const REFRESH_SECONDS = 3;

/** What is asked before a tape in work is cancelled. */
export const CANCEL = {
  title: 'Cancel this tape?',
  consequence: 'The work stops, and everything it has written so far is removed. The tape can be uploaded again.',
  confirm: 'Cancel the tape',
} as const;

/** What is asked before a tape is removed. */
export const removeQuestion = ({ basesCount }: Pick<TapeHead, 'basesCount'>) => ({
  title: 'Remove this tape?',
  consequence:
    basesCount > 0
      ? 'Its assets and the borrowing bases made from it are removed. The history keeps what it was.'
      : 'Its assets are removed. The history keeps what it was.',
  confirm: 'Remove the tape',
});

/** What is to be known at once: how far it is, why it failed, what could not be read. */
export function TapeNotices({ head }: { head: TapeHead }) {
  const { counts } = head;
  const [search] = useSearchParams();
  const question = head.may.cancel ? CANCEL : removeQuestion(head);
  return (
    <>
      {search.get('remove') === 'ask' && (head.may.cancel || head.may.remove) ? (
        <AskOnPage intent="remove" {...question} backTo={paths.tape(head.id)} />
      ) : null}
      {head.isInWork || head.rerun || head.basesInWork ? (
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
      {head.rerun ? (
        <Notice>
          {head.rerun.rows === null
            ? 'Corrected rows are'
            : `${formatCount(head.rerun.rows, 'corrected row')} ${head.rerun.rows === 1 ? 'is' : 'are'}`}{' '}
          being run again{head.rerun.by ? ` for ${head.rerun.by}` : ''}. The tape stays as it was published until that
          is done.
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
