import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';

/**
 * A dialog over the page, which cannot be used meanwhile. Rendered only while it is open. The browser moves the focus
 * into it, keeps it there, closes it on Escape, and returns the focus to where it was.
 * @param onClose called on Escape, and on a click outside a dialog that asks nothing
 * @param role `alertdialog` for a question, which is answered or cancelled by its buttons
 */
export function Modal({
  onClose,
  role = 'dialog',
  label,
  describedBy,
  className,
  children,
}: {
  onClose: () => void;
  role?: 'dialog' | 'alertdialog';
  /** The id of its title, or a text. */
  label: { readonly id: string } | string;
  describedBy?: string;
  /** Its place and width. */
  className: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed before it is removed, because only a dialog that closes returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for a click outside
    <dialog
      ref={dialog}
      role={role === 'alertdialog' ? role : undefined}
      {...(typeof label === 'string' ? { 'aria-label': label } : { 'aria-labelledby': label.id })}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (role === 'dialog' && event.target === event.currentTarget) onClose();
      }}
      className={classNames(
        'fixed m-0 overflow-hidden rounded-lg border border-line bg-paper text-left text-sm font-normal whitespace-normal text-ink shadow-float backdrop:bg-scrim',
        className,
      )}
    >
      {children}
    </dialog>
  );
}
