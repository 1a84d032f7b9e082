import { useActionData } from '@remix-run/react';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { HiddenField } from '../../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { DrawPage } from './draw-page.server.ts';

export function RejectDrawForm({ page }: { page: DrawPage }) {
  const answer = useActionData<ActionAnswer>();
  const [form, fields] = useShortForm<{ rejectionMessage: string }>('reject', {
    lastResult: answer?.intent === 'reject' ? answer.lastResult : null,
    required: ['rejectionMessage'],
  });
  return (
    <PanelSection title="Reject this draw" padded className="max-w-[46rem]">
      <ScreenForm form={form} intent="reject" labels={{ rejectionMessage: 'Reason' }}>
        <HiddenField name="drawVersion" value={page.version} />
        <TextareaField
          field={fields.rejectionMessage}
          label="Reason"
          hint="The borrower sees it, and its users get it by email"
          rows={3}
          autoFocus
        />
        <FormActions submit="Reject the draw" submitting="Rejecting" tone="danger" cancelTo={paths.draw(page.id)} />
      </ScreenForm>
    </PanelSection>
  );
}
