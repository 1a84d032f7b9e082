import type { SubmissionResult } from '@conform-to/react';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { whichSheetDescription } from './which-sheet.ts';

/** Which sheet is read, and in which row its headers are. */
export function SheetForm({
  page: { file, sheets, version },
  answer,
}: {
  page: {
    file: { sheetName: string; headerRow: number };
    sheets: readonly string[];
    version: number;
  };
  answer: SubmissionResult | undefined;
}) {
  const [form, fields] = useScreenForm('sheet', whichSheetDescription, {
    lastResult: answer,
    defaultValue: { version, sheetName: file.sheetName, headerRow: file.headerRow },
  });
  return (
    <ScreenForm
      form={form}
      intent="sheet"
      labels={{ sheetName: 'Sheet', headerRow: 'Row of the headers', file: 'File' }}
    >
      <input type="hidden" name="version" value={version} />
      <Panel className="mb-6 flex max-w-[60rem] flex-wrap items-end gap-4 p-4">
        {sheets.length > 1 ? (
          <SelectField
            field={fields.sheetName}
            label="Sheet"
            className="w-56"
            choices={sheets.map((name) => ({ value: name, label: name }))}
          />
        ) : null}
        <TextField field={fields.headerRow} label="Row of the headers" inputMode="numeric" className="w-40" />
        <FormActions submit="Read again" tone="plain" />
      </Panel>
    </ScreenForm>
  );
}
