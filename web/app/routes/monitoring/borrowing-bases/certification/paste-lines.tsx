import type { SubmissionResult } from '@conform-to/react';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';
import { PanelSection } from '../../../../components/page/section.tsx';

/** Reads the lines of a workbook, or of what was copied from one, and assigns them as last time. */
export function PasteLines({ lastResult }: { lastResult: SubmissionResult<string[]> | null }) {
  const [form, fields] = useShortForm<{ pasted: string }>('read', { lastResult });
  return (
    <PanelSection title="From your workbook" note="labels and amounts replace the lines below" padded>
      <ScreenForm form={form} intent="read" labels={{ pasted: 'Lines' }} encType="multipart/form-data">
        <div className="grid gap-4 lg:grid-cols-2">
          <div className="min-w-0">
            <label htmlFor="own-workbook" className="mb-1 block text-xs font-medium text-ink-2">
              Workbook <span className="font-normal text-ink-3">(optional)</span>
            </label>
            <input
              id="own-workbook"
              type="file"
              name="workbook"
              accept=".xlsx,.csv"
              aria-describedby="own-workbook-hint"
              className="min-w-0 max-w-full text-sm file:mr-2 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-paper file:px-2.5 file:text-ink max-sm:file:h-10"
            />
            <p id="own-workbook-hint" className="mt-1 text-xs text-ink-3">
              The first sheet of an .xlsx or .csv file, at most 4 MB: a label and its amount in each row.
            </p>
          </div>
          <TextareaField
            field={fields.pasted}
            label="Or copied lines (optional)"
            hint="Label and amount in each line, as copied from a spreadsheet"
            rows={3}
          />
        </div>
        <FormActions submit="Read lines" submitting="Reading" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}
