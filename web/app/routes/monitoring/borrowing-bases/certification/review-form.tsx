import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';

/** The lender gives a reason beside each line that is wrong. */
export function ReviewForm({
  certificate,
  lastResult,
  children,
}: {
  certificate: string;
  lastResult: SubmissionResult<string[]> | null;
  children: ReactNode;
}) {
  const [form] = useShortForm('dispute', { lastResult });
  return (
    <ScreenForm form={form} intent="dispute">
      <input type="hidden" name="certificate" value={certificate} />
      {children}
      <p className="text-xs text-ink-3">
        Give a reason of at least 5 characters beside each line that is wrong. The borrower gets them by email.
      </p>
      <FormActions submit="Dispute these lines" submitting="Sending" tone="danger" />
    </ScreenForm>
  );
}
