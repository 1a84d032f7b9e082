import type { SubmissionResult } from '@conform-to/react';
import { versionSchema } from '@tapeline/domain/documents/document.schema.ts';
import { userDetailsSchema } from '@tapeline/domain/identity/user-details.schema.ts';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { DETAILS_LABELS, DetailsFields } from '../sign-in/details-fields.tsx';

export const profileSchema = userDetailsSchema.extend({ version: versionSchema });

/** Names and phone number, which people can change themselves. */
export function ProfileSection({
  details,
  facts,
  lastResult,
}: {
  details: { firstName: string; lastName: string; phoneNumber: string | null; version: number };
  facts: readonly { label: string; value: string }[];
  lastResult: SubmissionResult<string[]> | null;
}) {
  const [form, fields] = useScreenForm('profile', profileSchema, { lastResult, defaultValue: details });
  return (
    <PanelSection title="Profile" padded>
      <Facts items={[...facts]} />
      <div className="mt-4 border-t border-line pt-4">
        <ScreenForm form={form} intent="saveProfile" labels={DETAILS_LABELS}>
          <HiddenField name="version" value={details.version} />
          <DetailsFields fields={fields} />
          <FormActions submit="Save profile" submitting="Saving" />
        </ScreenForm>
      </div>
    </PanelSection>
  );
}
