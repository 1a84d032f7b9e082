import { type ActionFunctionArgs, data, redirect } from '@remix-run/node';
import type { Mapping } from '@tapeline/db/entities/lending.ts';
import { confirmUpload } from '@tapeline/db/files/receive-upload.ts';
import { findFile, resolveFile } from '@tapeline/db/operations/files/files.ts';
import { getTape, listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { summarizeColumn } from '@tapeline/domain/tapes/suggest/column-shape.ts';
import { readValues, rulesOf } from '@tapeline/domain/tapes/suggest/steps.ts';
import type { SampleColumn } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import { TARGET_NAMES } from '@tapeline/domain/tapes/suggest/target-synonyms.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import type { SheetHead } from '@tapeline/workflows/preview/preview.ts';
import { readForm as readCheckedForm } from '../csrf.server.ts';
import { answerError } from '../errors.server.ts';
import { paths } from '../paths.ts';
import { readScreen, type Screen } from '../screen.server.ts';
import { bodyOfDraft, faultsOfDraft, readDraft, suggestionsLeft, textOf } from './draft.ts';
import { headOf, previewDraft } from './draft-preview.server.ts';
import type { DraftPreview, PreviewedFile } from './draft-preview.ts';
import { type EditorState, editDraft, readForm } from './edit-draft.ts';

/** What the editor's form is answered with where it is not redirected. */
export interface EditorAnswer {
  readonly state: EditorState;
  readonly preview: DraftPreview | null;
  /** Why the mapping was not saved. */
  readonly refusal: string | null;
  /** Saving was asked for and faults stand in the way: they are shown on top as well. */
  readonly isFaulty: boolean;
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** Tapes of the company to try a draft on, the latest first. */
export async function tapesToTryOn(session: Session, companyId: string) {
  const { documents } = await listTapes(session, {
    filter: JSON.stringify({ company: companyId }),
    sort: { cutOffDate: -1 },
    limit: 50,
  });
  return documents.map(({ id, attachment, cutOffDate }) => ({ id, name: attachment.name, cutOffDate }));
}

/**
 * The file a draft is shown on: a tape's or one that was uploaded for the purpose.
 * @throws Refusal notFound for what is out of sight
 */
export async function fileToTryOn(
  session: Session,
  choice: { tapeId?: string | null; fileId?: string | null },
): Promise<PreviewedFile | null> {
  if (choice.tapeId) {
    const tape = await getTape(session, choice.tapeId);
    const file = await resolveFile(session, { bucket: 'loanTapes', keyOrId: tape.attachment.key });
    return { fileId: file.id, tapeId: tape.id, name: tape.attachment.name, cutOffDate: tape.cutOffDate };
  }
  if (!choice.fileId) return null;
  const file = await resolveFile(session, { bucket: 'loanTapes', keyOrId: choice.fileId });
  return { fileId: file.id, tapeId: null, name: file.name, cutOffDate: today() };
}

/** A file that was just uploaded, looked at as every upload is. */
export async function confirmNewFile(screen: Screen, key: string): Promise<PreviewedFile> {
  const { context } = screen;
  return screen.db(async (session) => {
    const file = await confirmUpload(session, context.objects, await findFile(session, { bucket: 'loanTapes', key }));
    return { fileId: file.id, tapeId: null, name: file.name, cutOffDate: today() };
  });
}

/** The sheet's columns as the suggestion reads them. */
export const samplesOf = (head: SheetHead): SampleColumn[] =>
  head.columns.map(({ header, group }, place) => ({
    header,
    group,
    words: head.survey?.columns[place]?.words,
    isPadded: head.survey?.columns[place]?.isPadded,
    cells: head.rows.map(({ cells }) => {
      const cell = cells[place];
      return { tag: CellTag[cell?.kind ?? 'blank'], value: cell?.text ?? '' };
    }),
  }));

/** The steps that the open rule's column usually takes to become its target. */
async function withUsualSteps(screen: Screen, state: EditorState, file: PreviewedFile | null): Promise<EditorState> {
  const { draft, open } = state;
  const chosen = open === null ? undefined : draft.rules[open];
  const target = resolveTarget(textOf(chosen?.rule.targetCol));
  const names = TARGET_NAMES.find(({ path }) => target.kind !== 'fault' && path === target.path);
  if (!chosen || !names) return state;
  const header = textOf(chosen.rule.originCol);
  const inspected = file
    ? await headOf(screen.context, file, { sheetName: draft.loanTapeSheetName || null, isSurveyed: true })
    : null;
  const samples = inspected && 'head' in inspected ? samplesOf(inspected.head) : [];
  const summary = summarizeColumn(samples.find((column) => column.header === header) ?? { cells: [] });
  const rules = rulesOf(header, names.path, readValues(summary, names, header));
  const settled = (rule: Partial<typeof chosen.rule>) => ({
    ...chosen,
    rule: { ...chosen.rule, ...rule },
    accepted: true,
  });
  // A date may need rules for its parts, which come right before it.
  const added = rules.map((rule, index) =>
    index === rules.length - 1
      ? settled({ serializations: rule.serializations as typeof chosen.rule.serializations })
      : { rule: rule as typeof chosen.rule, suggestion: null, accepted: true },
  );
  const isAdded = (rule: unknown): boolean => rules.slice(0, -1).some(({ targetCol }) => targetCol === rule);
  const others = draft.rules.map((each, index) => (index === open || !isAdded(each.rule.targetCol) ? each : null));
  return {
    ...state,
    draft: {
      ...draft,
      rules: others.flatMap((each, index) => (index === open ? added : each === null ? [] : [each])),
    },
    open: others.slice(0, open ?? 0).filter((each) => each !== null).length + added.length - 1,
  };
}

const placeOf = (form: FormData, name: string): number | null => {
  const value = form.get(name);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null;
};

const answered = new WeakSet<object>();

/** Whether the action of this very request has made the preview already, so that the page's loader need not. */
export const isAnswered = ({ context }: Pick<Screen, 'context'>): boolean => answered.has(context);

/** The file the form shows its draft on; one that is gone meanwhile costs the preview, never the draft. */
async function fileOfForm(screen: Screen, form: FormData): Promise<PreviewedFile | null> {
  const [kind, id = ''] = String(form.get('try') ?? '').split(':');
  try {
    return await screen.db((session) => fileToTryOn(session, kind === 'tape' ? { tapeId: id } : { fileId: id }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/**
 * The editor's action, with and without JavaScript: the form carries the whole draft, one change is made, and the draft is given back
 * with its preview; or it is saved.
 * @param save the one operation; gets the parsed mapping, and the version it was made from
 */
export function answerEditor(
  args: ActionFunctionArgs,
  save: (screen: Screen, session: Session, body: ReturnType<typeof parseMapping>, version: number) => Promise<Mapping>,
) {
  return readScreen(args, 'assets/ETL/write', async (screen) => {
    const form = await readCheckedForm(args.request, args.context);
    const draft = readDraft(form.get('draft'));
    if (!draft) throw answerError(args.context, 'badRequest', 'The form did not carry its mapping. Reload the page.');
    const tried = await fileOfForm(screen, form);
    const carried: EditorState = {
      draft,
      open: placeOf(form, 'open'),
      view: form.get('view') === 'json' ? 'json' : 'rules',
      json: null,
    };
    const edit = String(form.get('edit') ?? '');
    let state = editDraft(readForm(carried, form), edit, form);
    if (edit === 'usual') state = await withUsualSteps(screen, state, tried);
    const answer = async (status: number, more: Partial<EditorAnswer> = {}) => {
      answered.add(screen.context);
      return data<EditorAnswer>(
        {
          state,
          preview: tried ? await previewDraft(screen.context, state.draft, tried, state.open) : null,
          refusal: null,
          isFaulty: false,
          ...more,
        },
        { status },
      );
    };
    if (edit !== 'save') return answer(state.json ? 422 : 200);

    const left = suggestionsLeft(state.draft);
    if (faultsOfDraft(state.draft).length > 0) return answer(422, { isFaulty: true });
    if (left > 0) {
      const refusal =
        left === 1
          ? 'One suggested rule was not looked at yet: accept or drop it, then save.'
          : `${left} suggested rules were not looked at yet: accept or drop them, then save.`;
      return answer(422, { refusal });
    }
    try {
      const body = parseMapping(bodyOfDraft(state.draft));
      const mapping = await screen.db((session) => save(screen, session, body, placeOf(form, 'version') ?? 0));
      return redirect(
        paths.mapping(mapping.id, {
          ...(tried?.tapeId ? { tape: tried.tapeId } : { file: tried?.fileId }),
          saved: 'yes',
        }),
      );
    } catch (error) {
      if (!isRefusal(error) || error.code === 'notFound') throw error;
      const isStale = error.flags && 'version' in error.flags;
      const refusal = isStale
        ? 'Someone saved a later version meanwhile. What you entered is kept here: open the latest version in another tab, compare, and save there.'
        : error.message;
      return answer(isStale ? 409 : 422, { refusal });
    }
  });
}
