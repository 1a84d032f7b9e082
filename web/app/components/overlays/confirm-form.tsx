import { type ReactNode, useRef, useState } from 'react';
import { Button, type ButtonTone } from '../forms/button.tsx';
import { CsrfField } from '../forms/csrf-field.tsx';
import { PostForm } from '../forms/post-form.tsx';
import { QuestionDialog } from './question-dialog.tsx';

/**
 * A button that asks for confirmation. Without JavaScript it posts immediately without `confirmed`, so that the action
 * can ask on its own page or, if the operation can be undone, simply perform it. With JavaScript the dialog posts
 * `confirmed=yes`. Both are the same button, so that a click while the scripts load is never lost.
 * @param title the question ("Remove this tape?")
 * @param consequence what happens on confirmation, in one sentence
 */
export function ConfirmForm({
  intent,
  values = {},
  action,
  label,
  title,
  consequence,
  confirm,
  tone = 'danger',
  buttonTone = 'plain',
}: {
  intent: string;
  values?: Record<string, string>;
  action?: string;
  label: string;
  title: string;
  consequence: ReactNode;
  /** The verb on the confirm button. */
  confirm: string;
  tone?: ButtonTone;
  buttonTone?: ButtonTone;
}) {
  const [isAsked, setAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  return (
    <PostForm action={action} ref={form} preventScrollReset>
      <CsrfField />
      <input type="hidden" name="intent" value={intent} />
      {isAsked ? <input type="hidden" name="confirmed" value="yes" /> : null}
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button
        type="submit"
        tone={buttonTone}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.preventDefault();
          setAsked(true);
        }}
      >
        {label}
      </Button>
      {isAsked ? (
        <QuestionDialog title={title} consequence={consequence} cancel="Cancel" onCancel={() => setAsked(false)}>
          <Button
            tone={tone}
            onClick={() => {
              form.current?.requestSubmit();
              setAsked(false);
            }}
          >
            {confirm}
          </Button>
        </QuestionDialog>
      ) : null}
    </PostForm>
  );
}
