import { type FormEvent, useEffect, useRef, useState } from 'react';
import { OTHER_INTENT } from '../../../../http/list-edits.ts';
import type { useFileUploads } from '../use-file-uploads.ts';

type Uploads = ReturnType<typeof useFileUploads>;

/** Conform validates a field by submitting the form with a button of this name. */
const FIELD_CHECK = '__intent__';

/** The files whose upload was interrupted. */
export const namesOf = ({ entries }: Uploads): string[] =>
  entries.filter(({ state }) => state === 'interrupted').map(({ name }) => name);

/**
 * Holds back a form whose files are still being uploaded, and submits it once when the last one is complete. A form
 * with an interrupted file is not submitted.
 */
export function useHeldSubmit(lists: readonly Uploads[]) {
  const isPending = lists.some((each) => each.isPending);
  const interrupted = lists.flatMap(namesOf);
  const [isHeld, setHeld] = useState(false);
  /** Whether a submit was blocked because the upload of a file was interrupted. */
  const [isMissed, setMissed] = useState(false);
  const held = useRef(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isPending || !held.current) return;
    held.current = false;
    setHeld(false);
    box.current?.querySelector('form')?.requestSubmit();
  }, [isPending]);
  const holdBack = (event: FormEvent) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (
      (!isPending && interrupted.length === 0) ||
      [FIELD_CHECK, OTHER_INTENT].includes(submitter?.getAttribute('name') ?? '')
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    setMissed(interrupted.length > 0);
    held.current = isPending;
    setHeld(isPending);
  };
  return { box, isHeld, missing: isMissed ? interrupted : [], holdBack };
}
