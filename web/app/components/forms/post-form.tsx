import { Form, type FormProps, useActionData, useNavigation, useRouteLoaderData } from '@remix-run/react';
import { type FormEvent, forwardRef, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { FORM_KEY, newFormKey } from '../../http/form-key.ts';
import { useHydrated } from '../use-hydrated.ts';
import { pasteDate } from './typed-date.ts';
import { type LeavesBy, useUnsavedForms } from './unsaved-work.tsx';
import { useLateBlur } from './use-late-blur.ts';

/**
 * A form that prevents double submission. While its answer is pending, the button that submitted it cannot submit it
 * again. Other buttons of the form can. Before the scripts have loaded, `SEND_ONCE` does the same. Entered values that
 * were not submitted trigger a confirmation before they are lost. A one-time key tells the server which requests are the
 * same form sent twice, also without JavaScript. Once a form is answered, it gets a new one.
 * @param tracksInput false for a form that reports its unsaved state with `useUnsavedForm`
 * @param leavesBy what loses entered values: `page` for a form that stays while the search of its address changes
 */
export const PostForm = forwardRef<HTMLFormElement, FormProps & { tracksInput?: boolean; leavesBy?: LeavesBy }>(
  function PostForm(
    { onSubmit, onInput, onPaste, onReset, children, tracksInput = true, leavesBy = 'address', ...rest },
    ref,
  ) {
    const { state } = useNavigation();
    const root = useRouteLoaderData('root') as { formKey?: string } | undefined;
    const hydrated = useHydrated();
    const [key, setKey] = useState(() => (hydrated ? newFormKey() : (root?.formKey ?? '')));
    const form = useRef<HTMLFormElement>(null);
    useImperativeHandle(ref, () => form.current as HTMLFormElement);
    useLateBlur(form);
    /** What submitted the form: its button, or the form itself if Enter was pressed. */
    const sentBy = useRef<HTMLElement | null>(null);
    const unsaved = useUnsavedForms();
    /** The form was submitted with entered values. They become unsaved again if the action refuses them. */
    const sentInput = useRef(false);
    const hasInput = useRef(false);
    const answer = useActionData() as { done?: boolean } | undefined;
    /** What the page had been answered when the form was submitted. */
    const answerBefore = useRef(answer);
    useEffect(() => {
      // A refusal is shown while the page still loads, and what was corrected by then can be sent.
      const isRefused = state === 'loading' && answer && answer !== answerBefore.current && !answer.done;
      if ((state !== 'idle' && !isRefused) || sentBy.current === null) return;
      sentBy.current = null;
      setKey(newFormKey());
    }, [state, answer]);
    useEffect(() => {
      if (!answer || !sentInput.current || !form.current) return;
      sentInput.current = false;
      if (answer.done) return;
      hasInput.current = true;
      unsaved?.enter(form.current, leavesBy);
    }, [answer, unsaved, leavesBy]);
    useEffect(() => {
      const element = form.current;
      return () => {
        if (element) unsaved?.clear(element);
      };
    }, [unsaved]);

    const clear = (element: HTMLFormElement): void => {
      hasInput.current = false;
      if (tracksInput) unsaved?.clear(element);
    };
    return (
      <Form
        method="post"
        {...rest}
        ref={form}
        onInput={(event: FormEvent<HTMLFormElement>) => {
          onInput?.(event);
          if (!tracksInput) return;
          hasInput.current = true;
          unsaved?.enter(event.currentTarget, leavesBy);
        }}
        onPaste={(event) => {
          if (pasteDate(event.target, event.clipboardData.getData('text'))) event.preventDefault();
          onPaste?.(event);
        }}
        onReset={(event) => {
          onReset?.(event);
          clear(event.currentTarget);
        }}
        onSubmit={(event) => {
          onSubmit?.(event);
          if (event.defaultPrevented) return;
          const by = (event.nativeEvent as SubmitEvent).submitter ?? event.currentTarget;
          if (sentBy.current === by) {
            event.preventDefault();
            return;
          }
          sentBy.current = by;
          answerBefore.current = answer;
          sentInput.current = hasInput.current;
          unsaved?.send(event.currentTarget);
          clear(event.currentTarget);
        }}
      >
        {children}
        <input type="hidden" name={FORM_KEY} value={key} autoComplete="off" />
      </Form>
    );
  },
);
