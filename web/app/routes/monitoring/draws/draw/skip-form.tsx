import type { SubmissionResult } from '@conform-to/react';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { HiddenField } from '../../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';
import type { DrawPage } from './draw-page.server.ts';

export interface SkipAnswer {
  intent: string;
  lastResult: SubmissionResult<string[]>;
}

/** The answer of this exception's own form. */
function answerOf(answer: SkipAnswer | undefined, index: number): SubmissionResult<string[]> | undefined {
  if (answer?.intent !== 'skip') return undefined;
  const { initialValue } = answer.lastResult;
  return String(initialValue?.index) === String(index) ? answer.lastResult : undefined;
}

/** The reason for which an exception is skipped. */
export function SkipForm({
  page,
  exception,
  answer,
}: {
  page: DrawPage;
  exception: DrawPage['exceptions'][number];
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
