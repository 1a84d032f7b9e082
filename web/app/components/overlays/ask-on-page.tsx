import type { ReactNode } from 'react';
import { Button, type ButtonTone, LinkButton } from '../forms/button.tsx';
import { CsrfField } from '../forms/csrf-field.tsx';
import { PostForm } from '../forms/post-form.tsx';
import { Notice } from '../page/notice.tsx';

/**
 * Asks a question on the page itself, for browsers where no dialog was shown. The address says that the question is
 * open. Confirming posts `confirmed=yes`.
 * @param backTo where "No" leads
 */
export function AskOnPage({
  intent,
  values = {},
  title,
  consequence,
  confirm,
  tone = 'danger',
  backTo,
}: {
  intent: string;
  values?: Readonly<Record<string, string>>;
  /** The question ("Remove this tape?"). */
  title: string;
  consequence: ReactNode;
  /** The verb on the confirm button. */
  confirm: string;
  tone?: ButtonTone;
  backTo: string;
}) {
  return (
    <Notice tone="warning">
      <b className="font-semibold">{title}</b> {consequence}
      <PostForm className="mt-2 flex flex-wrap gap-2">
        <CsrfField />
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="confirmed" value="yes" />
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" tone={tone}>
          {confirm}
        </Button>
        <LinkButton to={backTo} preventScrollReset>
          No
        </LinkButton>
      </PostForm>
    </Notice>
  );
}
