import { useBlocker } from '@remix-run/react';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useMemo, useRef } from 'react';
import { QuestionDialog } from '../overlays/question-dialog.tsx';
import { Button } from './button.tsx';

/** What leaves a form: any other address, or only another page if the form keeps its state in the address. */
export type LeavesBy = 'address' | 'page';

interface UnsavedForms {
  /** Marks the form as having entered values that would be lost with it. */
  enter(form: HTMLFormElement, leavesBy: LeavesBy): void;
  /** Marks the form as having nothing unsaved. */
  clear(form: HTMLFormElement): void;
  /** Marks the form as being submitted. Leaving through its own answer loses nothing. */
  send(form: HTMLFormElement): void;
}

const Forms = createContext<UnsavedForms | null>(null);

/** The page's forms with unsaved work. Null outside the signed-in frame. */
export const useUnsavedForms = (): UnsavedForms | null => useContext(Forms);

/** Reports a form whose page tracks its unsaved state, instead of deriving it from typed input. */
export function useUnsavedForm(form: RefObject<HTMLFormElement>, isUnsaved: boolean, leavesBy: LeavesBy): void {
  const forms = useUnsavedForms();
  useEffect(() => {
    const element = form.current;
    if (!forms || !element || !isUnsaved) return;
    forms.enter(element, leavesBy);
    return () => forms.clear(element);
  }, [forms, form, isUnsaved, leavesBy]);
}

/**
 * Asks for confirmation before unsaved work is lost: when a link, the Back button or another form of the page leads
 * away, and when the tab is closed or reloaded. Every `PostForm` is included automatically.
 */
export function UnsavedWorkGuard({ children }: { children: ReactNode }) {
  const unsaved = useRef(new Map<HTMLFormElement, LeavesBy>());
  const sending = useRef<HTMLFormElement | null>(null);
  const forms = useMemo<UnsavedForms>(
    () => ({
      enter: (form, leavesBy) => void unsaved.current.set(form, leavesBy),
      clear: (form) => void unsaved.current.delete(form),
      send(form) {
        sending.current = form;
        // The router checks for blocked navigation synchronously, so this is reset afterwards.
        setTimeout(() => {
          sending.current = null;
        });
      },
    }),
    [],
  );
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isOtherPage = currentLocation.pathname !== nextLocation.pathname;
    const isOtherAddress = isOtherPage || currentLocation.search !== nextLocation.search;
    const isSending = sending.current !== null;
    return [...unsaved.current].some(
      ([form, leavesBy]) =>
        form !== sending.current &&
        form.isConnected &&
        // Another form's answer may change the data behind this form, even at the same address.
        (isSending || (leavesBy === 'page' ? isOtherPage : isOtherAddress)),
    );
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if ([...unsaved.current.keys()].some((form) => form.isConnected)) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);

  return (
    <Forms.Provider value={forms}>
      {children}
      {blocker.state === 'blocked' ? (
        <QuestionDialog
          title="Leave without saving?"
          consequence="You have unsaved changes on this page. They will be lost if you leave."
          cancel="Keep editing"
          onCancel={() => blocker.reset()}
        >
          <Button
            tone="danger"
            onClick={() => {
              unsaved.current.clear();
              blocker.proceed();
            }}
          >
            Discard changes
          </Button>
        </QuestionDialog>
      ) : null}
    </Forms.Provider>
  );
}
