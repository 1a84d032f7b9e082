import { useActionData, useLocation } from '@remix-run/react';
import { useRef } from 'react';

/**
 * Returns what the page's last action answered, until the person leaves the page or performs another action. The router
 * forgets the answer when the page revalidates, and a page that shows work in progress does so every second.
 */
export function useLastAnswer<Answer>(): Answer | undefined {
  const answer = useActionData() as Answer | undefined;
  const { key } = useLocation();
  const last = useRef<{ key: string; answer: Answer | undefined }>();
  if (answer !== undefined || last.current?.key !== key) last.current = { key, answer };
  return last.current.answer;
}
