import { type RefObject, useEffect } from 'react';

/**
 * Reports that a field was left only once the pointer is released. The message that then appears below the field would
 * otherwise move the button that is being pressed, and the click would miss it.
 */
export function useLateBlur(form: RefObject<HTMLFormElement>): void {
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let isPressed = false;
    let left: Element | null = null;
    const press = (): void => {
      isPressed = true;
    };
    const leave = (event: FocusEvent): void => {
      if (!isPressed || !(event.target instanceof Element)) return;
      event.stopPropagation();
      left = event.target;
    };
    const release = (): void => {
      isPressed = false;
      const field = left;
      left = null;
      if (!field) return;
      // The click follows the release within the same task.
      setTimeout(() => {
        if (field.isConnected) field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
      });
    };
    element.addEventListener('focusout', leave);
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('pointerup', release, true);
    document.addEventListener('pointercancel', release, true);
    return () => {
      element.removeEventListener('focusout', leave);
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('pointerup', release, true);
      document.removeEventListener('pointercancel', release, true);
    };
  }, [form]);
}
