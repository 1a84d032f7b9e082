import { useFetcher } from '@remix-run/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { paths } from '../../../../paths.ts';
import { DIRECT_BYTES, DIRECT_MS, type DraftCheck } from '../draft-check.ts';
import type { DraftPreview } from '../draft-preview.ts';
import type { EditorAnswer } from '../mapping-editor.server.ts';

const AFTER_MS = 300;
const PROGRESS_EVERY_MS = 1_000;

/**
 * The check of all rows. It runs on request, and automatically after each change if it is fast. Without JavaScript, it is
 * part of the response to the form.
 * @param draft identifies what is checked
 * @param answered the check in the response to the form
 */
export function useCheck({
  form,
  draft,
  answered,
  preview,
  isWaiting,
  canEdit,
}: {
  form: RefObject<HTMLFormElement | null>;
  draft: string;
  answered: DraftCheck | null;
  preview: DraftPreview | null;
  /** A preview is loading, or the user is leaving the page. */
  isWaiting: boolean;
  canEdit: boolean;
}) {
  const fetcher = useFetcher<EditorAnswer>();
  const isChecking = fetcher.state !== 'idle';
  const fileId = preview?.file.fileId ?? null;
  const key = `${fileId} ${draft}`;
  const [checked, setChecked] = useState(answered ? key : null);
  const [isWanted, setWanted] = useState(false);
  const found = fetcher.data?.check ?? answered;
  const check = found && found.fileId === fileId ? found : null;
  const isFast = check ? check.tookMs < DIRECT_MS : (preview?.file.size ?? DIRECT_BYTES) < DIRECT_BYTES;

  const submit = useRef(fetcher.submit);
  submit.current = fetcher.submit;
  const isDue = canEdit && preview !== null && (isWanted || (isFast && checked !== key));
  useEffect(() => {
    if (!isDue || isChecking || isWaiting) return;
    const timer = setTimeout(() => {
      if (!form.current) return;
      const fields = new FormData(form.current);
      fields.set('edit', 'check-rows');
      setChecked(key);
      setWanted(false);
      submit.current(fields, { method: 'post', action: window.location.pathname + window.location.search });
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDue, isChecking, isWaiting, key, form]);

  return {
    check,
    isChecking: isChecking || isWanted,
    /** The draft has changed since. */
    isStale: check !== null && checked !== key,
    share: useShare(isChecking ? fileId : null),
    ask: () => setWanted(true),
  };
}

/** How much of a file its check has read, 0 to 1. Null until the check reports it. */
export function useShare(fileId: string | null): number | null {
  const [share, setShare] = useState<number | null>(null);
  useEffect(() => {
    setShare(null);
    if (fileId === null) return;
    const left = new AbortController();
    const timer = setInterval(async () => {
      try {
        const answer = await fetch(paths.checkProgress(fileId), { signal: left.signal });
        if (answer.ok) setShare(((await answer.json()) as { share: number | null }).share);
      } catch {
        // The response of the check says what is wrong.
      }
    }, PROGRESS_EVERY_MS);
    return () => {
      clearInterval(timer);
      left.abort();
    };
  }, [fileId]);
  return share;
}
