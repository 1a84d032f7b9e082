import { AlertDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Button, type ButtonTone, buttonClass } from '../forms/button.tsx';
import { CsrfField } from '../forms/csrf-field.tsx';
import { PostForm } from '../forms/post-form.tsx';
import { useHydrated } from '../use-hydrated.ts';

/**
 * A button that asks first. Without JavaScript it posts at once with `confirmed` left out, so that the action can ask on a page of its own
 * or, where the act can be undone, simply do it; with JavaScript the dialog posts `confirmed=yes`.
 * @param title the question ("Remove this tape?")
 * @param consequence what happens then, in one sentence
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
  /** The verb on the confirming button. */
  confirm: string;
  tone?: ButtonTone;
  buttonTone?: ButtonTone;
}) {
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  return (
    <PostForm action={action} ref={form} preventScrollReset>
      <CsrfField />
      <input type="hidden" name="intent" value={intent} />
      {hydrated ? <input type="hidden" name="confirmed" value="yes" /> : null}
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {hydrated ? (
        <AlertDialog.Root>
          <AlertDialog.Trigger className={buttonClass(buttonTone)}>{label}</AlertDialog.Trigger>
          <AlertDialog.Portal>
            <AlertDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
            <AlertDialog.Content className="fixed top-1/3 left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/3 rounded-lg border border-line bg-paper p-5 shadow-float">
              <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
              <AlertDialog.Description className="mt-1.5 text-sm text-ink-2">{consequence}</AlertDialog.Description>
              <div className="mt-5 flex justify-end gap-2">
                <AlertDialog.Cancel className={buttonClass()}>Cancel</AlertDialog.Cancel>
                <AlertDialog.Action className={buttonClass(tone)} onClick={() => form.current?.requestSubmit()}>
                  {confirm}
                </AlertDialog.Action>
              </div>
            </AlertDialog.Content>
          </AlertDialog.Portal>
        </AlertDialog.Root>
      ) : (
        <Button type="submit" tone={buttonTone}>
          {label}
        </Button>
      )}
    </PostForm>
  );
}
