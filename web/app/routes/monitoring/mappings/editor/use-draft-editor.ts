import { useFetcher, useLocation, useNavigate, useNavigation } from '@remix-run/react';
import { type FormEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { asksCheck, FIX_FIELD } from '../draft-check.ts';
import { editDraft, readEditorForm } from '../edit-draft.ts';
import type { EditorAnswer } from '../mapping-editor.server.ts';
import type { EditorProps } from './mapping-form.ts';
import { useCheck } from './use-check.ts';

/** Edits that need the server. All others are applied in the browser by the same function that the server uses. */
const ASKS_SERVER = new Set(['save', 'usual']);
/** Fields that only matter when a button is pressed. */
const NOT_THE_DRAFT = new Set(['newStep', 'newValidation', 'json', 'unmapped']);
const PREVIEW_AFTER_MS = 450;
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * The editor with JavaScript: edits are applied in place, the open rule is in the address, and the preview is updated
 * when the user pauses. Without JavaScript the same form posts each edit to the same reducer.
 */
export function useDraftEditor({
  initial,
  answer,
  preview: loaded,
  canEdit,
}: Pick<EditorProps, 'initial' | 'answer' | 'preview' | 'canEdit'>) {
  const [state, setState] = useState(answer?.state ?? initial);
  // The fields are uncontrolled. A new revision renders them again after an edit that changed their values.
  const [revision, setRevision] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const focus = useRef<string | null>(null);
  const [changes, setChanges] = useState(0);
  const navigate = useNavigate();
  const location = useLocation();
  const fetcher = useFetcher<EditorAnswer>();
  const isAsking = fetcher.state !== 'idle';
  const navigation = useNavigation();
  const isLeaving = navigation.state !== 'idle';

  const taken = useRef(answer);
  /** The preview from before the server's answer. The answer's own preview is newer. */
  const overtaken = useRef<EditorAnswer>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new answer is applied, when it arrives
  useEffect(() => {
    if (!answer || taken.current === answer) return;
    taken.current = answer;
    overtaken.current = fetcher.data;
    setState(answer.state);
    setRevision((before) => before + 1);
    // A preview request in progress is for the old draft, so another one must follow.
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
    const next = editDraft(readEditorForm(state, fields), edit, fields);
    focus.current = edit;
    setState(next);
    setRevision((before) => before + 1);
    setChanges((before) => before + 1);
    if (next.open !== state.open) navigate(openAt(next.open), { replace: true, preventScrollReset: true });
  };

  // The element that the user activated was rendered again. Restore the focus to it, or to the rule that was opened.
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
  /** The change that the last preview request covered. */
  const asked = useRef(0);
  // Send one request after each pause, and none while a request is in progress or the page is being left. Aborting a
  // response stream causes a page error, and a response that arrives while another version loads takes part in that
  // load's revalidation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation alone must not trigger a request
  useEffect(() => {
    if (isAsking || isLeaving || changes === asked.current) return;
    const timer = setTimeout(() => {
      if (!form.current) return;
      asked.current = changes;
      const fields = new FormData(form.current);
      fields.set('edit', 'preview');
      submit.current(fields, { method: 'post', action: location.pathname + location.search });
    }, PREVIEW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [changes, isAsking, isLeaving]);

  const draft = useMemo(() => JSON.stringify(state.draft), [state.draft]);
  const check = useCheck({
    form,
    draft,
    answered: answer?.check ?? null,
    preview,
    isWaiting: isAsking || isLeaving,
    canEdit,
  });

  return {
    state,
    /** The draft as the form carries it. */
    draft,
    check,
    revision,
    form,
    preview,
    /** The tapes that the form's search found last. */
    tapes: looked?.tapes ?? answer?.tapes ?? null,
    openAt,
    isStale: isAsking,
    /** The server is processing the draft. Changes made in the meantime would be overwritten by its answer. */
    isSent: ASKS_SERVER.has(String(navigation.formData?.get('edit'))),
    onSubmit(event: FormEvent<HTMLFormElement>) {
      const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
      const edit = submitter?.value ?? 'keep';
      if (ASKS_SERVER.has(edit)) {
        focus.current = edit;
        return;
      }
      event.preventDefault();
      if (edit !== 'check') apply(edit);
      if (asksCheck(edit)) check.ask();
    },
    onInput(event: FormEvent<HTMLFormElement>) {
      const { name } = event.target as HTMLInputElement;
      if (!form.current || !name || NOT_THE_DRAFT.has(name) || name.startsWith(FIX_FIELD)) return;
      setState(readEditorForm(state, new FormData(form.current)));
      setChanges((before) => before + 1);
    },
  };
}
