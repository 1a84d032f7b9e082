import { type ReactNode, useId } from 'react';
import { Button } from '../forms/button.tsx';
import { Modal } from './modal.tsx';

/**
 * A dialog that asks a question. Rendered only while it is asked.
 * @param title the question ("Remove this tape?")
 * @param consequence what happens on confirmation, in one sentence
 * @param cancel the label of the button that changes nothing, which has the focus
 * @param children the button that confirms
 */
export function QuestionDialog({
  title,
  consequence,
  cancel,
  onCancel,
  children,
}: {
  title: string;
  consequence: ReactNode;
  cancel: string;
  onCancel: () => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Modal
      role="alertdialog"
      label={{ id: `${id}-title` }}
      describedBy={`${id}-text`}
      onClose={onCancel}
      className="top-1/3 left-1/2 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/3 p-5"
    >
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        {title}
      </h2>
      <div id={`${id}-text`} className="mt-1.5 text-sm text-ink-2">
        {consequence}
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button type="button" onClick={onCancel}>
          {cancel}
        </Button>
        {children}
      </div>
    </Modal>
  );
}
