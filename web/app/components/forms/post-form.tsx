import { Form, type FormProps, useNavigation } from '@remix-run/react';
import { forwardRef, useEffect, useRef } from 'react';

/**
 * A form that posts, once: while its answer is awaited, the button that sent it does not send it again, however often it is pressed.
 * Another button of the form does. Before the scripts have come `SEND_ONCE` sees to the same.
 */
export const PostForm = forwardRef<HTMLFormElement, FormProps>(function PostForm({ onSubmit, ...rest }, ref) {
  const { state } = useNavigation();
  /** What the form was sent by: its button, or the form itself where Enter did it. */
  const sentBy = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (state === 'idle') sentBy.current = null;
  }, [state]);
  return (
    <Form
      method="post"
      {...rest}
      ref={ref}
      onSubmit={(event) => {
        onSubmit?.(event);
        if (event.defaultPrevented) return;
        const by = (event.nativeEvent as SubmitEvent).submitter ?? event.currentTarget;
        if (sentBy.current === by) event.preventDefault();
        sentBy.current = by;
      }}
    />
  );
});
