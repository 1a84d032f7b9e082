import { useActionData, useLocation } from '@remix-run/react';
import { useRef } from 'react';

/**
 * What the page's last action answered, until the page is left or something else is done on it. The router itself forgets the answer as
 * soon as the page is read anew, which a page of work in hand is each second.
 */
export function useLastAnswer<Answer>(): Answer | undefined {
  const answer = useActionData() as Answer | undefined;
  const { key } = useLocation();
  const last = useRef<{ key: string; answer: Answer | undefined }>();
  if (answer !== undefined || last.current?.key !== key) last.current = { key, answer };
  return last.current.answer;
}
