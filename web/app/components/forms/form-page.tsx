import type { FieldMetadata, SubmissionResult } from '@conform-to/react';
import type { ComponentProps, ReactNode } from 'react';
import { PageHeader } from '../page/page-header.tsx';
import type { Entered, FormDescription } from './form-description.ts';
import { HiddenField } from './hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from './screen-form.tsx';

type FieldsOf<Values> = Readonly<Record<keyof Values & string, FieldMetadata<unknown>>>;

/**
 * A page that is the form of one document: of a new one, or of a stored one, whose version is sent back.
 * @param noun what is created: "main fund"
 * @param stored the name of the stored document; null for a new one
 * @param values what the fields hold at first
 * @param sentBack the fields that the form sends back as they were, such as the version
 * @param above what stands between the header and the form
 */
export function FormPage<Description extends FormDescription>({
  noun,
  stored,
  title = stored === null ? `New ${noun}` : `Edit ${stored}`,
  facts = [],
  description,
  answer,
  values = {},
  sentBack = [],
  submit = stored === null ? `Create ${noun}` : 'Save',
  submitting = stored === null ? 'Creating' : 'Saving',
  cancelTo,
  above,
  shouldValidate = 'onBlur',
  children,
  ...form
}: Pick<ComponentProps<typeof ScreenForm>, 'labels' | 'encType' | 'currency'> & {
  noun: string;
  stored: string | null;
  title?: string;
  facts?: readonly ReactNode[];
  description: Description;
  answer: { lastResult: SubmissionResult<string[]> } | undefined;
  values?: Readonly<Record<string, unknown>>;
  sentBack?: readonly string[];
  submit?: string;
  submitting?: string;
  cancelTo: string;
  above?: ReactNode;
  shouldValidate?: 'onBlur' | 'onSubmit';
  children: ReactNode | ((fields: FieldsOf<Entered<Description>>) => ReactNode);
}) {
  const [metadata, fields] = useScreenForm(noun.replaceAll(' ', '-'), description, {
    lastResult: answer?.lastResult,
    defaultValue: values as Partial<Record<keyof Entered<Description> & string, unknown>>,
    shouldValidate,
  });
  return (
    <>
      <PageHeader title={title} facts={facts} />
      {above}
      <ScreenForm form={metadata} intent={stored === null ? 'create' : 'save'} {...form}>
        {sentBack.map((name) => (
          <HiddenField key={name} name={name} />
        ))}
        {typeof children === 'function' ? children(fields as FieldsOf<Entered<Description>>) : children}
        <FormActions submit={submit} submitting={submitting} cancelTo={cancelTo} />
      </ScreenForm>
    </>
  );
}
