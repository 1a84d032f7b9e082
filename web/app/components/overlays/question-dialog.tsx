import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from '../forms/button.tsx';

/**
 * The content of a dialog that asks a question. It must be inside an `AlertDialog.Root`.
 * @param title the question ("Remove this tape?")
 * @param consequence what happens on confirmation, in one sentence
 * @param cancel the label of the button that changes nothing
 * @param children the `AlertDialog.Action`
 */
export function QuestionDialog({
  title,
  consequence,
  cancel,
  children,
}: {
  title: string;
  consequence: ReactNode;
  cancel: string;
  children: ReactNode;
}) {
  return (
    <AlertDialog.Portal>
      <AlertDialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
      <AlertDialog.Content className="fixed top-1/3 left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/3 rounded-lg border border-line bg-paper p-5 shadow-float">
        <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
        <AlertDialog.Description className="mt-1.5 text-sm text-ink-2">{consequence}</AlertDialog.Description>
        <div className="mt-5 flex justify-end gap-2">
          <AlertDialog.Cancel className={buttonClass()}>{cancel}</AlertDialog.Cancel>
          {children}
        </div>
      </AlertDialog.Content>
    </AlertDialog.Portal>
  );
}
