import { useFetcher, useLocation } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../../components/forms/button.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { OTHER_INTENT } from '../../../../http/list-edits.ts';
import { DIRECT_BYTES, DIRECT_MS, type DraftCheck } from '../../mappings/draft-check.ts';
import { CheckGroups, CheckSummary, progressOf } from '../../mappings/editor/check-panel.tsx';
import { useShare } from '../../mappings/editor/use-check.ts';
import type { FilledTape } from './tape-values.server.ts';

/** A check that is answered for one file of the form. */
export interface CheckAnswer {
  readonly check?: { readonly index: number; readonly made: DraftCheck };
}

const AFTER_MS = 600;

/**
 * The result of the chosen mapping for every row of a file, before a tape is created from it. Small files are checked
 * automatically, one after the other.
 * @param answered the check in the answer of the page, without JavaScript
 * @param isTurn whether the files before this one are checked
 * @param onEnd called once this file is checked, or if it is too large to be checked automatically
 */
export function TapeCheck({
  index,
  tape,
  answered,
  isTurn,
  onEnd,
}: {
  index: number;
  tape: FilledTape;
  answered: DraftCheck | null;
  isTurn: boolean;
  onEnd: () => void;
}) {
  const hydrated = useHydrated();
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  params.set('check', String(index));
  const action = `${pathname}?${params}`;
  const box = useRef<HTMLDivElement>(null);
  const fetcher = useFetcher<CheckAnswer>();
  const isChecking = fetcher.state !== 'idle';
  const check = fetcher.data?.check?.made ?? answered;
  /** The number of changes in the card, and how many of them the check includes. */
  const [changes, setChanges] = useState(0);
  const [checked, setChecked] = useState<number | null>(answered ? 0 : null);
  useEffect(() => {
    const card = box.current?.parentElement;
    const change = () => setChanges((before) => before + 1);
    card?.addEventListener('change', change);
    return () => card?.removeEventListener('change', change);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file was looked at again
  useEffect(() => setChanges((before) => before + 1), [tape.proposed]);

  const send = useRef(() => {});
  send.current = () => {
    const form = box.current?.closest('form');
    if (!form) return;
    const fields = new FormData(form);
    fields.set(OTHER_INTENT, 'check');
    setChecked(changes);
    fetcher.submit(fields, { method: 'post', action });
  };
  const isFast = check ? check.tookMs < DIRECT_MS : tape.bytes < DIRECT_BYTES;
  const isDue = isTurn && isFast && checked !== changes && !isChecking;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause again
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => send.current(), AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDue, changes]);
  const isEnded = isTurn && !isChecking && (check !== null || !isFast);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (isEnded) end.current();
  }, [isEnded]);
  const share = useShare(isChecking ? tape.fileId : null);

  return (
    <div ref={box} aria-busy={isChecking} className="border-t border-line pt-3">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3">
        <h3 className="text-xs font-medium text-ink-2">All rows</h3>
        <span className="text-xs text-ink-3" aria-live="polite">
          {isChecking ? progressOf(share) : check && hydrated && checked !== changes ? 'before the last change' : ''}
        </span>
        <Button
          type={hydrated ? 'button' : 'submit'}
          {...(hydrated
            ? { onClick: () => send.current(), disabled: isChecking }
            : { name: OTHER_INTENT, value: 'check', formAction: action, formNoValidate: true })}
          className="ml-auto h-7"
        >
          {check ? 'Check again' : 'Check all rows'}
        </Button>
      </div>
      {check?.problem ? <Notice tone="warning">{check.problem}</Notice> : null}
      {check ? <CheckSummary check={check} /> : null}
      {check?.result ? <CheckGroups result={check.result} /> : null}
    </div>
  );
}
