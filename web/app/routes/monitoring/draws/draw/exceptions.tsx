import type { SubmissionResult } from '@conform-to/react';
import type { DrawCheck } from '@tapeline/domain/draws/checks.ts';
import { DateText } from '../../../../components/figures/figures.tsx';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { HiddenField } from '../../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';
import { exceptionText } from '../draw-words.ts';
import type { DrawPage } from './draw-page.server.ts';

type Exception = DrawPage['exceptions'][number];

export interface SkipAnswer {
  intent: string;
  lastResult: SubmissionResult<string[]>;
}

const textOf = (page: DrawPage, { exception }: Exception): string =>
  exceptionText(exception, page.checked?.checks ?? []);

/** The answer of this exception's own form. */
function answerOf(answer: SkipAnswer | undefined, index: number): SubmissionResult<string[]> | undefined {
  if (answer?.intent !== 'skip') return undefined;
  const { initialValue } = answer.lastResult;
  return String(initialValue?.index) === String(index) ? answer.lastResult : undefined;
}

function SkipForm({
  page,
  exception,
  answer,
}: {
  page: DrawPage;
  exception: Exception;
  answer: SkipAnswer | undefined;
}) {
  const { index } = exception;
  const [form, fields] = useShortForm<{ reason: string }>(`skip-${index}`, {
    lastResult: answerOf(answer, index),
    required: ['reason'],
  });
  return (
    <ScreenForm form={form} intent="skip" labels={{ reason: 'Reason for skipping this exception' }}>
      <input type="hidden" name="index" value={index} />
      <HiddenField name="drawVersion" value={page.version} />
      <div>
        <TextareaField field={fields.reason} label="Reason for skipping this exception" rows={2} />
        <div className="flex flex-wrap items-center gap-x-3">
          <FormActions submit="Skip with this reason" submitting="Skipping" tone="plain" />
          <span className="pt-1 text-xs text-ink-3">The borrower can see the reason. It is kept in the history.</span>
        </div>
      </div>
    </ScreenForm>
  );
}

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
            {page.maySkip ? <SkipForm page={page} exception={exception} answer={answer} /> : null}
          </div>
        ),
      )}
    </div>
  );
}
