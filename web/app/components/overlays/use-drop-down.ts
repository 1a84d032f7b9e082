import { type RefObject, useEffect, useRef } from 'react';

/**
 * For a `details` that opens a panel. It opens without JavaScript. With JavaScript, a click outside closes it, and
 * Escape closes it and returns the focus to its button.
 */
export function useDropDown(): RefObject<HTMLDetailsElement> {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (returnFocus: boolean): void => {
      if (!details.current?.open) return;
      details.current.open = false;
      if (returnFocus) details.current.querySelector('summary')?.focus();
    };
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && !details.current?.contains(event.target)) close(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close(true);
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return details;
}
