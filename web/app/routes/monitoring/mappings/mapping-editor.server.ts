import { data, redirect } from '@remix-run/node';
import type { Mapping } from '@tapeline/db/entities/lending.ts';
import { resolveFile, uploadedFile } from '@tapeline/db/operations/files/files.ts';
import type { ChoiceQuery } from '@tapeline/db/operations/listing/choices.ts';
import { getTape, tapeChoices } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { calendarDateOf, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatInstant } from '@tapeline/domain/dates/instant.ts';
import { isRefusal, nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { summarizeColumn } from '@tapeline/domain/tapes/suggest/column-shape.ts';
import { readValues, ruleOf } from '@tapeline/domain/tapes/suggest/steps.ts';
import { TARGET_NAMES } from '@tapeline/domain/tapes/suggest/target-synonyms.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { samplesOf } from '../../../commands/previews.server.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import { LARGE_FORM_BYTES, readForm as readCheckedForm } from '../../../http/csrf.server.ts';
import { errorAnswer } from '../../../http/errors.server.ts';
import { readScreen, type Screen } from '../../../http/screen.server.ts';
import { sentOnce, takeFormKey } from '../../../http/sent-once.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../../paths.ts';
import { bodyOfDraft, problemsOfDraft, readDraft, suggestionsLeft, textOf } from './draft.ts';
import { checkMappingDraft } from './draft-check.server.ts';
import { asksCheck, type DraftCheck } from './draft-check.ts';
import { previewDraft, sheetHeadOf } from './draft-preview.server.ts';
import { type DraftPreview, type PreviewedFile, type TapesToTry, tryValue } from './draft-preview.ts';
import { type EditorState, editDraft, readEditorForm } from './edit-draft.ts';

/** The editor's response if it does not redirect. */
export interface EditorAnswer {
  readonly state: EditorState;
  readonly preview: DraftPreview | null;
  /** Why the mapping was not saved. */
  readonly refusal: string | null;
  /** The tapes that the form's search found; null if the form has no such search. */
  readonly tapes: TapesToTry | null;
  /** What the draft makes of every row; null if it was not asked for. */
  readonly check: DraftCheck | null;
  /** Saving was requested but errors block it, so they are also shown at the top. */
  readonly isInvalid: boolean;
}

const today = (): string => calendarDateOf(new Date());

/** Tapes of the company to try a draft on, the latest first. */
export async function tapesToTryOn(
  session: Session,
  query: ChoiceQuery & { companyId: string },
): Promise<TapesToTry & { latestId: string | null }> {
  const found = await tapeChoices(session, query);
  return {
    files: found.choices.map(({ id, name, cutOffDate }) => ({
      value: tryValue({ fileId: '', tapeId: id }),
      label: `${formatCalendarDate(cutOffDate)}, ${name}`,
    })),
    counts: countsOf(found),
    latestId: found.choices[0]?.id ?? null,
  };
}

/**
 * The file that a draft is previewed on: a tape's file, or one uploaded for the preview.
 * @throws Refusal notFound if it is not visible to the actor
 */
export async function fileToTryOn(
  session: Session,
  choice: { tapeId?: string | null; fileId?: string | null },
): Promise<PreviewedFile | null> {
  if (choice.tapeId) {
    const tape = await getTape(session, choice.tapeId);
    const file = await resolveFile(session, { bucket: 'loanTapes', keyOrId: tape.attachment.key });
    return {
      fileId: file.id,
      tapeId: tape.id,
      name: tape.attachment.name,
      size: file.size,
      cutOffDate: tape.cutOffDate,
    };
  }
  if (!choice.fileId) return null;
  const file = await resolveFile(session, { bucket: 'loanTapes', keyOrId: choice.fileId });
  return { fileId: file.id, tapeId: null, name: file.name, size: file.size, cutOffDate: today() };
}

/** Confirms a file that was just uploaded, with the same checks as every upload. */
export async function confirmNewFile(screen: Screen, key: string): Promise<PreviewedFile> {
  return screen.db(async (session) => {
    const file = await uploadedFile(session, { bucket: 'loanTapes', keyOrId: key });
    return { fileId: file.id, tapeId: null, name: file.name, size: file.size, cutOffDate: today() };
  });
}

/** Adds the steps that the open rule's column usually needs to become its target. */
async function withUsualSteps(screen: Screen, state: EditorState, file: PreviewedFile | null): Promise<EditorState> {
  const { draft, open } = state;
  const chosen = open === null ? undefined : draft.rules[open];
  const target = resolveTarget(textOf(chosen?.rule.targetCol));
  const names = TARGET_NAMES.find(({ path }) => target.kind !== 'problem' && path === target.path);
  if (!chosen || !names) return state;
  const header = textOf(chosen.rule.originCol);
  const inspected = file
    ? await sheetHeadOf(screen, file, { sheetName: draft.loanTapeSheetName || null, isSurveyed: true })
    : null;
  const samples = inspected && 'head' in inspected ? samplesOf(inspected.head) : [];
  const summary = summarizeColumn(samples.find((column) => column.header === header) ?? { cells: [] });
  const { serializations } = ruleOf(header, names.path, readValues(summary, names, header));
  const settled = {
    ...chosen,
    rule: { ...chosen.rule, serializations: serializations as typeof chosen.rule.serializations },
    accepted: true,
  };
  return { ...state, draft: { ...draft, rules: draft.rules.map((each, index) => (index === open ? settled : each)) } };
}

const NOTHING: Omit<EditorAnswer, 'state'> = {
  preview: null,
  check: null,
  tapes: null,
  refusal: null,
  isInvalid: false,
};

const placeOf = (form: FormData, name: string): number | null => {
  const value = form.get(name);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null;
};

const answered = new WeakSet<object>();

/** Whether this request's action has already made the preview, so that the page's loader can skip it. */
export const isAnswered = ({ context }: Pick<Screen, 'context'>): boolean => answered.has(context);

/**
 * The file that the form previews its draft on. If it was deleted in the meantime, only the preview is lost, never the
 * draft.
 */
async function fileOfForm(screen: Screen, form: FormData): Promise<PreviewedFile | null> {
  const [kind, id = ''] = String(form.get('try') ?? '').split(':');
  const choice = kind === 'tape' ? { tapeId: id } : { fileId: id };
  return screen.db((session) => fileToTryOn(session, choice)).catch(nullIfRefused);
}

/**
 * The editor's action, with and without JavaScript. The form contains the whole draft. The action either applies one
 * change and returns the draft with its preview, or saves the draft.
 * @param save the only write operation; gets the parsed mapping, and the version it was made from
 * @param companyOf the company that the mapping is of
 * @param findTapes finds tapes to try the draft on; omitted if there are none to choose from
 */
export function answerEditor(
  save: (screen: Screen, session: Session, body: ReturnType<typeof parseMapping>, version: number) => Promise<Mapping>,
  companyOf: (screen: Screen, session: Session) => Promise<string>,
  findTapes?: (screen: Screen, query: ChoiceQuery) => Promise<TapesToTry | null>,
) {
  return readScreen('assets/ETL/write', async (screen) => {
    const form = await readCheckedForm(screen.request, screen.context, { maxBytes: LARGE_FORM_BYTES });
    const sent = takeFormKey(form);
    const draft = readDraft(form.get('draft'));
    if (!draft) throw errorAnswer(screen.context, 'badRequest', 'The form is missing its mapping. Reload the page.');
    const tried = await fileOfForm(screen, form);
    const carried: EditorState = {
      draft,
      open: placeOf(form, 'open'),
      view: form.get('view') === 'json' ? 'json' : 'rules',
      json: null,
    };
    const edit = String(form.get('edit') ?? '');
    let state = editDraft(readEditorForm(carried, form), edit, form);
    if (edit === 'usual') state = await withUsualSteps(screen, state, tried);
    const check = async (file: PreviewedFile): Promise<DraftCheck> => {
      const companyId = can(screen.actor, 'assets/read')
        ? await screen.db((session) => companyOf(screen, session))
        : null;
      return checkMappingDraft(screen, state.draft, file, { companyId, signal: screen.request.signal });
    };
    // The script asks for the check beside a preview that it has.
    if (edit === 'check-rows') {
      answered.add(screen.context);
      return data<EditorAnswer>({ ...NOTHING, state, check: tried ? await check(tried) : null });
    }
    const answer = async (status: number, more: Partial<EditorAnswer> = {}) => {
      answered.add(screen.context);
      const [preview, checked] = tried
        ? await Promise.all([
            previewDraft(screen, state.draft, tried, state.open),
            asksCheck(edit) ? check(tried) : null,
          ])
        : [null, null];
      return data<EditorAnswer>(
        {
          ...NOTHING,
          state,
          preview,
          check: checked,
          tapes:
            (await findTapes?.(screen, { search: String(form.get('findTape') ?? ''), chosen: tried?.tapeId })) ?? null,
          ...more,
        },
        { status },
      );
    };
    if (edit !== 'save') return answer(state.json ? 422 : 200);

    const left = suggestionsLeft(state.draft);
    if (problemsOfDraft(state.draft).length > 0) return answer(422, { isInvalid: true });
    if (left > 0) {
      const refusal =
        left === 1
          ? '1 suggested rule has not been reviewed. Accept or remove it, then save.'
          : `${left} suggested rules have not been reviewed. Accept or remove them, then save.`;
      return answer(422, { refusal });
    }
    try {
      const body = parseMapping(bodyOfDraft(state.draft));
      return await sentOnce(screen, screen.context, sent, async (store) => {
        const work = (session: Session) => save(screen, session, body, placeOf(form, 'version') ?? 0);
        const mapping = await store.as(screen.actor, work, originOf(screen.request, screen.context));
        return redirect(
          paths.mapping(mapping.id, {
            ...(tried?.tapeId ? { tape: tried.tapeId } : { file: tried?.fileId }),
            saved: 'yes',
          }),
        );
      });
    } catch (error) {
      if (!isRefusal(error) || error.code === 'notFound') throw error;
      const isStale = error.flags && 'version' in error.flags;
      const { conflict } = error;
      const by = conflict ? ` (${conflict.by}, ${formatInstant(conflict.at)} UTC)` : '';
      const refusal = isStale
        ? `Someone else saved a newer version${by}. Your changes are kept here. Open the latest version in another tab, compare, and save there.`
        : error.message;
      return answer(isStale ? 409 : 422, { refusal });
    }
  });
}
