import { useActionData } from '@remix-run/react';
import type { ComponentProps, ReactNode } from 'react';
import type { ActionAnswer } from '../../http/screen.server.ts';
import { Fields, labelsOf } from './described-fields.tsx';
import { OPTIONAL } from './fields.tsx';
import { FormActions, ScreenForm } from './screen-form.tsx';
import { useShortForm } from './use-short-form.ts';

/**
 * The form of one intent among others of its page: its fields as they are described, and what the action answered to
 * this intent. A field is required unless its label says that it is optional.
 * @param id of the form; its intent if omitted
 * @param values what the fields hold at first
 * @param sent what the form sends and nobody enters, such as the version of its document
 * @param className the layout of the fields
 * @param children shown between the fields and the button
 * @param beside shown next to the button
 */
export function IntentForm({
  intent,
  id = intent,
  values = {},
  sent = {},
  lines,
  className = 'flex flex-col gap-4',
  children,
  beside,
  ...actions
}: {
  intent: string;
  id?: string;
  values?: Readonly<Record<string, unknown>>;
  sent?: Readonly<Record<string, string | number>>;
  lines: Parameters<typeof labelsOf>[0];
  className?: string;
  children?: ReactNode;
  beside?: ReactNode;
} & Omit<ComponentProps<typeof FormActions>, 'children'>) {
  const answer = useActionData<ActionAnswer>();
  const labels = labelsOf(lines);
  const [form] = useShortForm(id, {
    lastResult: answer?.intent === intent ? answer.lastResult : null,
    defaultValue: values,
    required: Object.keys(labels).filter((name) => !labels[name]?.endsWith(OPTIONAL)),
  });
  return (
    <ScreenForm form={form} intent={intent} labels={labels}>
      {Object.entries(sent).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className={className}>
        <Fields lines={lines} />
      </div>
      {children}
      <FormActions {...actions}>{beside}</FormActions>
    </ScreenForm>
  );
}
