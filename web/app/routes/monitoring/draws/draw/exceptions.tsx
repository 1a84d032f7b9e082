import type { DrawCheck } from '@tapeline/domain/draws/checks.ts';
import { DateText } from '../../../../components/figures/figures.tsx';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { exceptionText } from '../draw-words.ts';
import type { DrawPage } from './draw-page.server.ts';
import type { SkipAnswer } from './skip-form.tsx';

const SKIP_FORM = loadedPart(() => import('./skip-form.tsx').then((part) => part.SkipForm));

type Exception = DrawPage['exceptions'][number];

const textOf = (page: DrawPage, { exception }: Exception): string =>
  exceptionText(exception, page.checked?.checks ?? []);

function Skipped({ page, exception }: { page: DrawPage; exception: Exception }) {
  const { index, reason, skippedBy, skippedAt } = exception;
  return (
    <div className="flex flex-wrap items-start gap-x-3 rounded-md border border-line bg-canvas px-3 py-2 text-sm">
      <div className="min-w-0 flex-1">
        <p className="break-words whitespace-pre-wrap">{reason}</p>
        <p className="text-xs text-ink-3">
          {textOf(page, exception)}. Skipped{skippedBy ? ` by ${skippedBy.name}` : ''}
          {skippedAt ? (
            <>
              , <DateText time value={skippedAt} />
            </>
          ) : null}
        </p>
      </div>
      {page.maySkip ? (
        <ActionForm intent="undo" values={{ index: String(index), drawVersion: String(page.version) }} tone="quiet">
          Undo
          <span className="sr-only"> the skip of {textOf(page, exception)}</span>
        </ActionForm>
      ) : null}
    </div>
  );
}

/** The exceptions of a check, each with its reason, or with the form to skip it. */
export function CheckExceptions({
  page,
  check,
  answer,
}: {
  page: DrawPage;
  check: DrawCheck;
  answer: SkipAnswer | undefined;
}) {
  const own = page.exceptions.filter(({ exception }) => exception.message === check.message);
  if (own.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {own.map((exception) =>
        exception.status === 'Skipped' ? (
          <Skipped key={exception.index} page={page} exception={exception} />
        ) : (
          <div key={exception.index}>
            <p className="mb-1 text-sm text-warning">{textOf(page, exception)}</p>
            {page.maySkip ? <ShownPart of={SKIP_FORM} page={page} exception={exception} answer={answer} /> : null}
          </div>
        ),
      )}
    </div>
  );
}
