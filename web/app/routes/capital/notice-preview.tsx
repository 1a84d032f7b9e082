import { Button } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { Select } from '../../components/forms/fields.tsx';
import { FORM_PANEL } from '../../components/forms/form-layout.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { EnteredValues } from './entered-values.tsx';

export interface PreviewChoice {
  readonly commitmentId: string;
  readonly investor: string | null;
}

/**
 * Opens the notice that one investor would get, in a new tab. A form of its own, because its answer is a file.
 * @param entered the values under review
 */
export function NoticePreview({
  to,
  intent,
  entered,
  choices,
}: {
  to: string;
  intent: 'new' | 'change';
  entered: object;
  choices: readonly PreviewChoice[];
}) {
  return (
    <PanelSection title="Preview of a notice" note="a PDF, nothing is stored" className={FORM_PANEL}>
      <form method="post" action={to} target="_blank" className="flex flex-wrap items-end gap-2" rel="noopener">
        <CsrfField />
        <input type="hidden" name="intent" value={intent} />
        <EnteredValues of={entered} />
        <div className="min-w-56">
          <label htmlFor="preview-of" className="mb-1 block text-xs font-medium text-ink-2">
            Notice to
          </label>
          <Select
            id="preview-of"
            name="commitment"
            className="truncate"
            choices={choices.map(({ commitmentId, investor }) => ({ value: commitmentId, label: investor ?? 'n/a' }))}
          />
        </div>
        <Button type="submit">Preview</Button>
      </form>
    </PanelSection>
  );
}
