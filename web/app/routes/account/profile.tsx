import type { SubmissionResult } from '@conform-to/react';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { DETAILS_LABELS, DetailsFields } from '../sign-in/details-fields.tsx';
import type { profileSchema } from './account-forms.ts';

/** Names and phone number, which people can change themselves. */
export function ProfileSection({
  details,
  facts,
  lastResult,
}: {
  details: { firstName: string; lastName: string; phoneNumber: string | null; version: number };
  facts: readonly { label: string; value: ReactNode }[];
  lastResult: SubmissionResult<string[]> | null;
}) {
  const [form, fields] = useShortForm<z.input<typeof profileSchema>>('profile', {
    lastResult,
    defaultValue: details,
    required: ['firstName', 'lastName'],
  });
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
