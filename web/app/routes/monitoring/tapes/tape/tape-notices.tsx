import { Link, useSearchParams } from '@remix-run/react';
import { implausibleFilter, plausibleRangeOf, rangeInWords } from '@tapeline/domain/tapes/plausible-ranges.ts';
import { describeSheetFacts } from '@tapeline/domain/tapes/sheet-facts.ts';
import type { TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import { questionSentence } from '@tapeline/domain/tapes/tape-questions.ts';
import { unreadColumn } from '@tapeline/domain/tapes/unread-column.ts';
import { formatCount, formatDuration, formatFigure } from '../../../../components/figures/format.ts';
import { AskOnPage } from '../../../../components/overlays/ask-on-page.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { paths } from '../../../../paths.ts';
import type { TapeHead } from '../tape-head.ts';

/** How often a browser without JavaScript reloads the page while the tape is being processed. */
const REFRESH_SECONDS = 3;

/** The confirmation before a tape in progress is cancelled. */
export const CANCEL = {
  title: 'Cancel this tape?',
  consequence: 'Processing stops and partial results are removed. You can upload the tape again.',
  confirm: 'Cancel tape',
} as const;

/** The confirmation before a tape is removed. */
export const removeQuestion = ({ basesCount }: Pick<TapeHead, 'basesCount'>) => ({
  title: 'Remove tape?',
  consequence:
    basesCount > 0
      ? 'Its assets and borrowing bases will be removed. The history is kept.'
      : 'Its assets will be removed. The history is kept.',
  confirm: 'Remove tape',
});

function rerunSubject({ rows, mappingVersion }: NonNullable<TapeHead['rerun']>): string {
  if (mappingVersion !== null) return `The tape is being reprocessed with mapping version ${mappingVersion}`;
  return rows === null
    ? 'Corrected rows are being reprocessed'
    : `${formatCount(rows, 'corrected row')} ${rows === 1 ? 'is' : 'are'} being reprocessed`;
}

/** Asks, without JavaScript, whether the tape is cancelled or removed. */
export function TapeRemoval({ head }: { head: TapeHead }) {
  const isAsked = useSearchParams()[0].get('remove') === 'ask' && (head.may.cancel || head.may.remove);
  const question = head.may.cancel ? CANCEL : removeQuestion(head);
  return isAsked ? <AskOnPage intent="remove" {...question} backTo={paths.tape(head.id)} /> : null;
}

/** The most important information: progress, why the tape failed, and what could not be read. */
export function TapeNotices({ head }: { head: TapeHead }) {
  const { counts } = head;
  return (
    <>
      {head.isInProgress || head.rerun || head.basesInProgress ? (
        <noscript>
          <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
        </noscript>
      ) : null}
      {head.waitsForWorker ? (
        <Notice tone="warning">
          No worker is running. The tape is stored, and processing starts automatically when a worker is available.
        </Notice>
      ) : null}
      {head.isInProgress && !head.waitsForWorker ? (
        <Notice>
          <span className="figures">
            {head.percent ? `${formatFigure(head.percent)}% complete` : 'Reading the tape'}
            {head.timeLeftMs === null ? '' : `, about ${formatDuration(Math.max(1000, head.timeLeftMs))} left`}.
          </span>{' '}
          Processing continues if you leave this page.
        </Notice>
      ) : null}
      {head.hasUnstableIds ? (
        <Notice tone="warning">
          The ids of this tape are row numbers, so its assets are not compared with those of other tapes: there are no
          roll rates, and no field is checked as consistent.
        </Notice>
      ) : null}
      {head.rerun ? (
        <Notice>
          {rerunSubject(head.rerun)}
          {head.rerun.by ? ` for ${head.rerun.by}` : ''}. The published tape stays unchanged until this is complete.
        </Notice>
      ) : null}
      {head.failure ? (
        <Notice tone="danger">
          {head.failure} {head.may.retry ? 'Nothing was saved. Correct the problem and try again.' : null}
        </Notice>
      ) : null}
      {head.openProposals > 0 ? (
        <Notice
          action={
            <Link to={paths.tape(head.id, { view: 'errored' })}>See {head.openProposals === 1 ? 'it' : 'them'}</Link>
          }
        >
          {head.may.decide
            ? `The borrower proposed ${formatCount(head.openProposals, 'correction')}. Review and decide.`
            : `${formatCount(head.openProposals, 'proposed correction')} ${head.openProposals === 1 ? 'is' : 'are'} awaiting the manager’s decision.`}
        </Notice>
      ) : null}
      {(counts?.sheet ? describeSheetFacts(counts.sheet) : []).map((sentence) => (
        <Notice key={sentence} tone="warning">
          {sentence}
        </Notice>
      ))}
      {head.warnings && head.warnings.assets > 0 ? <ValueWarnings id={head.id} warnings={head.warnings} /> : null}
      {(head.warnings?.questions ?? []).map((question) => (
        <Notice key={question.code} tone="warning">
          {questionSentence(question)}. It was processed as it was uploaded.
        </Notice>
      ))}
      {head.notice ? <Notice tone="warning">{head.notice}</Notice> : null}
      {head.basesInProgress && !head.isInProgress ? <Notice>The borrowing bases are being calculated.</Notice> : null}
      {head.followUpFailure ? <Notice tone="danger">{head.followUpFailure}</Notice> : null}
      {head.basesFailed.map(({ note, failure }) => (
        <Notice key={note} tone="danger">
          <Chip tone="danger">Failed</Chip> Borrowing base of {note}: {failure}
        </Notice>
      ))}
    </>
  );
}

/**
 * The number of assets with a value outside the plausible range of its field, and with a cell that could not be read. Each
 * count links to its assets.
 */
function ValueWarnings({ id, warnings }: { id: string; warnings: TapeWarnings }) {
  const unread = warnings.fields.filter(({ isUnread }) => isUnread);
  const implausible = warnings.fields.filter(({ isUnread }) => !isUnread);
  return (
    <>
      {implausible.length > 0 ? (
        <Notice tone="warning">
          {unread.length > 0
            ? 'Values'
            : `${formatCount(warnings.assets, 'asset')} ${warnings.assets === 1 ? 'has a value' : 'have values'}`}{' '}
          outside the plausible range: <WarnedFields id={id} fields={implausible} />. Check the scale in the mapping.
        </Notice>
      ) : null}
      {unread.length > 0 ? (
        <Notice tone="warning">
          Fields left empty because their cells could not be read: <WarnedFields id={id} fields={unread} />. Change the
          steps of their rules in the mapping if they should be read.
        </Notice>
      ) : null}
    </>
  );
}

function WarnedFields({ id, fields }: { id: string; fields: TapeWarnings['fields'] }) {
  return fields.map(({ path, label, assets, isUnread }, index) => {
    const range = isUnread ? undefined : plausibleRangeOf(path);
    const filter = isUnread ? { [unreadColumn(path)]: { exists: true } } : range && implausibleFilter(range);
    const text = `${label} (${formatCount(assets, 'asset')})`;
    return (
      <span key={path}>
        {index > 0 ? ', ' : ''}
        {filter ? (
          <Link to={paths.tape(id, { filter: JSON.stringify(filter) })} className="underline">
            {text}
          </Link>
        ) : (
          text
        )}
        {range ? ` (expected ${rangeInWords(range)})` : ''}
      </span>
    );
  });
}
