import { useEffect, useRef } from 'react';

/**
 * Starts each further step of a form at its top: scrolls there, and moves the focus to the page's title, so that a review
 * is read from its beginning.
 * @param step the step that is shown: its name, or what it shows. The first one starts where the page does, and so does
 *   what is shown without one.
 */
export function useTopOfStep(step: unknown): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (step === undefined) return;
    window.scrollTo({ top: 0 });
    const title = document.querySelector<HTMLElement>('main h1');
    title?.setAttribute('tabindex', '-1');
    title?.focus({ preventScroll: true });
  }, [step]);
}
