import { useFetcher, useLocation, useNavigate, useNavigation } from '@remix-run/react';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DraftPreview } from '../draft-preview.ts';
import { type EditorState, editDraft, readForm } from '../edit-draft.ts';

/** What the form is answered with, as the hook needs it. */
interface Answer {
  readonly state: EditorState;
  readonly preview: DraftPreview | null;
}

/** Edits that ask the server: the rest is done here, by the very function that does it there. */
const ASKS_SERVER = new Set(['save', 'usual']);
/** Fields that only matter once a button is pressed. */
const NOT_THE_DRAFT = new Set(['newStep', 'newValidation', 'json', 'unmapped']);
const SETTLED_AFTER_MS = 450;
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * The editor with JavaScript: edits happen in place, the open rule is in the address, and the preview follows once the person pauses.
 * Without JavaScript the same form posts each edit to the same reducer.
 */
export function useDraftEditor(initial: EditorState, answer: Answer | undefined, loaded: DraftPreview | null) {
  const [state, setState] = useState(answer?.state ?? initial);
  // Fields are the browser's own; a new revision writes them anew after an edit that changed what stands in them.
  const [revision, setRevision] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const focus = useRef<string | null>(null);
  const [changes, setChanges] = useState(0);
  const navigate = useNavigate();
  const location = useLocation();
  const fetcher = useFetcher<Answer>();
  const isAsking = fetcher.state !== 'idle';
  const navigation = useNavigation();
  const isLeaving = navigation.state !== 'idle';

  const taken = useRef(answer);
  /** The look at the draft that was there before the server's answer: what the answer shows is newer. */
  const overtaken = useRef<Answer>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer is taken, at the moment it comes
  useEffect(() => {
    if (!answer || taken.current === answer) return;
    taken.current = answer;
    overtaken.current = fetcher.data;
    setState(answer.state);
    setRevision((before) => before + 1);
    // A look that is still under way is at the draft as it was: it is followed by another.
    if (isAsking) setChanges((before) => before + 1);
  }, [answer]);

  const openAt = (rule: number | null): string => {
    const search = new URLSearchParams(location.search);
    search.delete('saved');
    if (rule === null) search.delete('rule');
    else search.set('rule', String(rule + 1));
    return `${location.pathname}?${search}`;
  };

  const apply = (edit: string) => {
    if (!form.current) return;
    const fields = new FormData(form.current);
    const next = editDraft(readForm(state, fields), edit, fields);
    focus.current = edit;
    setState(next);
    setRevision((before) => before + 1);
    setChanges((before) => before + 1);
    if (next.open !== state.open) navigate(openAt(next.open), { replace: true, preventScrollReset: true });
  };

  // What stood under the finger is drawn anew: the focus goes back to it, or to the rule that was opened.
  useBrowserLayoutEffect(() => {
    const edit = focus.current;
    focus.current = null;
    if (!edit || !form.current) return;
    const active = document.activeElement;
    if (active && active !== document.body) return;
    const again = form.current.querySelector<HTMLElement>(`[name="edit"][value="${CSS.escape(edit)}"]`);
    (again ?? form.current.querySelector<HTMLElement>('[aria-expanded="true"]'))?.focus();
  }, [revision]);

  const looked = fetcher.data === overtaken.current ? undefined : fetcher.data;
  const preview = looked?.preview ?? answer?.preview ?? loaded;
  const submit = useRef(fetcher.submit);
  submit.current = fetcher.submit;
  /** The change that the last question was about. */
  const asked = useRef(0);
  // One question after each pause, and none while one is under way or the page is left: taking its answer's stream away is an error of
  // the page, and an answer that comes while another version is read takes part in that reading.
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving to another address alone asks nothing
  useEffect(() => {
    if (isAsking || isLeaving || changes === asked.current) return;
    const timer = setTimeout(() => {
      if (!form.current) return;
      asked.current = changes;
      const fields = new FormData(form.current);
      fields.set('edit', 'preview');
      submit.current(fields, { method: 'post', action: location.pathname + location.search });
    }, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [changes, isAsking, isLeaving]);

  return {
    state,
    revision,
    form,
    preview,
    openAt,
    isStale: isAsking,
    /** The server has the draft in hand: what was changed meanwhile would be lost with its answer. */
    isSent: ASKS_SERVER.has(String(navigation.formData?.get('edit'))),
    onSubmit(event: FormEvent<HTMLFormElement>) {
      const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
      const edit = submitter?.value ?? 'keep';
      if (ASKS_SERVER.has(edit)) {
        focus.current = edit;
        return;
      }
      event.preventDefault();
      apply(edit);
    },
    onInput(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement;
      if (!form.current || !name || NOT_THE_DRAFT.has(name)) return;
      setState(readForm(state, new FormData(form.current)));
      setChanges((before) => before + 1);
    },
  };
}
