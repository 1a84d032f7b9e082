import type { ReactNode } from 'react';
import { Button, type ButtonTone } from './button.tsx';
import { CsrfField } from './csrf-field.tsx';
import { PostForm } from './post-form.tsx';

/**
 * A form that is only a button: `<ActionForm intent="retry" values={{ id }}>Run again</ActionForm>`.
 * @param action where the form posts to; defaults to the current page
 */
export function ActionForm({
  intent,
  values = {},
  action,
  tone,
  className,
  children,
}: {
  intent: string;
  values?: Record<string, string>;
  action?: string;
  tone?: ButtonTone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <PostForm action={action} className={className} preventScrollReset>
      <CsrfField />
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" tone={tone}>
        {children}
      </Button>
    </PostForm>
  );
}
