import { formatFigure } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { useLivePage } from '../../components/page/use-live-page.ts';

/**
 * How many notices of a call or distribution are made, while some are missing. The page follows by itself; without
 * scripts it shows the count of when it was opened.
 */
export function NoticeProgress({
  notices,
  due,
  problems,
  mayWrite,
}: {
  notices: number;
  due: number;
  problems: number;
  mayWrite: boolean;
}) {
  useLivePage(due > 0);
  const all = notices + due + problems;
  return (
    <>
      {due > 0 ? (
        <Notice>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <progress
              max={all}
              value={notices}
              aria-label="Notices made"
              className="h-1.5 w-40 max-w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
            />
            <span>
              {formatFigure(notices)} of {formatFigure(all)} notices are made
            </span>
          </span>
        </Notice>
      ) : null}
      {problems > 0 ? (
        <Notice tone="danger">
          <span className="flex flex-wrap items-center gap-3">
            {problems === 1 ? '1 notice' : `${formatFigure(problems)} notices`} could not be made.
            {mayWrite ? <ActionForm intent="retryNotices">Make again</ActionForm> : null}
          </span>
        </Notice>
      ) : null}
    </>
  );
}
