import { useActionData } from '@remix-run/react';
import type { ComponentProps, ReactNode } from 'react';
import type { z } from 'zod';
import type { ActionAnswer } from '../../http/screen.server.ts';
import { Fields, labelsOf } from './described-fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from './screen-form.tsx';

/**
 * The form of one intent among others of its page: its fields as they are described, and what the action answered to
 * this intent.
 * @param id of the form; its intent if omitted
 * @param values what the fields hold at first
 * @param sent what the form sends and nobody enters, such as the version of its document
 * @param className the layout of the fields
 * @param children what stands between the fields and the button
 */
export function IntentForm<Schema extends z.ZodObject>({
  intent,
  id = intent,
  schema,
  values = {},
  sent = {},
  lines,
  shouldValidate,
  className = 'flex flex-col gap-4',
  children,
  ...actions
}: {
  intent: string;
  id?: string;
  schema: Schema;
  values?: Partial<Record<keyof z.input<Schema> & string, unknown>>;
  sent?: Readonly<Record<string, string | number>>;
  lines: Parameters<typeof labelsOf>[0];
  shouldValidate?: 'onBlur' | 'onSubmit';
  className?: string;
  children?: ReactNode;
} & Omit<ComponentProps<typeof FormActions>, 'children'>) {
  const answer = useActionData<ActionAnswer>();
  const [form] = useScreenForm(id, schema, {
    lastResult: answer?.intent === intent ? answer.lastResult : null,
    defaultValue: values,
    ...(shouldValidate ? { shouldValidate } : {}),
  });
  return (
    <ScreenForm form={form} intent={intent} labels={labelsOf(lines)}>
      {Object.entries(sent).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className={className}>
        <Fields lines={lines} />
      </div>
      {children}
      <FormActions {...actions} />
    </ScreenForm>
  );
}
