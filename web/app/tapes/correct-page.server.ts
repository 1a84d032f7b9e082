import { findFile, getStoredFile } from '@tapeline/db/operations/files/files.ts';
import { getMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { type RowCorrection, shownOrigin, typedCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { expectationsByHeader } from '@tapeline/domain/tapes/expectation.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import type { CellFault, ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import type { RequestContext } from '../context.ts';
import type { Screen } from '../screen.server.ts';
import { type CorrectForm, rowsOfAddress } from './correct-form.schema.ts';
import { erroredRowsInSight, previewRerun } from './rerun.server.ts';

/** Rows of a file that are shown of its preview. */
const SHOWN_OF_FILE = 20;

/** A cell of an errored row, to be corrected. */
export interface CorrectCell {
  readonly header: string;
  /** As read. */
  readonly text: string;
  /** Why it is wrong, a reason a rule; none where it is not. */
  readonly faults: readonly string[];
  /** What the mapping expects of it, in words; null where no rule reads it by itself. */
  readonly expects: string | null;
}

async function tapeToCorrect(screen: Screen) {
  return screen.db(async (session) => {
    const tape = await getTape(session, screen.params.id ?? '');
    const mapping = await getMapping(session, tape.mappingId);
    const generation = await publishedGeneration(session, tape.id);
    if (!generation?.manifest) {
      throw new Refusal('badRequest', 'The tape is not published yet: wait until it is processed');
    }
    return { tape, mapping, generation };
  });
}

type Found = Awaited<ReturnType<typeof tapeToCorrect>>;

const headOf = ({ tape, generation }: Found) => ({
  id: tape.id,
  title: tape.attachment.name,
  mappingVersion: tape.mappingVersion,
  cutOffDate: tape.cutOffDate,
  errored: tape.counts?.errored ?? 0,
  generation: generation.id,
  isInWork: tape.schedulerStatus === 'Processing',
});

/** The errored rows that the address names, cell by cell, with what is wrong and what is expected. */
export async function readCorrectPage(screen: Screen) {
  const found = await tapeToCorrect(screen);
  const wanted = rowsOfAddress(screen.url.searchParams.get('rows'));
  const { rows } = await erroredRowsInSight(screen.context, screen.actor, found.tape.id, wanted);
  const expected = expectationsByHeader(rulesSchema.parse(found.mapping.rules));
  return { tape: headOf(found), rows: rows.map((row) => toCorrect(row, expected)) };
}

function toCorrect({ row, origin, errors }: ErroredRow, expected: ReadonlyMap<string, string>) {
  const reasonOf = ({ reason, value }: CellFault) =>
    value === null || reason.includes(value) ? reason : `${reason}: “${value}”`;
  const cells = Object.entries(origin).map(
    ([header, cell]): CorrectCell => ({
      header,
      text: shownOrigin(cell),
      faults: errors.filter(({ column }) => column === header).map(reasonOf),
      expects: expected.get(header) ?? null,
    }),
  );
  const others = errors.filter(({ column }) => column === null || !Object.hasOwn(origin, column));
  return { row, cells, otherFaults: others.map((fault) => `${fault.target}: ${reasonOf(fault)}`) };
}

/**
 * What a person wrote into the form, as corrections: cells that read as before are no corrections.
 * @throws Refusal badRequest where the tape's errored rows are others by now
 */
export async function toCorrections(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  form: CorrectForm,
): Promise<RowCorrection[]> {
  const { generationId, isCsv, rows } = await erroredRowsInSight(
    context,
    actor,
    tapeId,
    form.rows.map(({ row }) => row),
  );
  if (generationId !== form.generation || rows.length !== form.rows.length) {
    throw new Refusal('badRequest', 'The errored rows of this tape changed meanwhile: open them again from the tape');
  }
  const origins = new Map(rows.map(({ row, origin }) => [row, origin]));
  return form.rows.map(({ row, cells }) => {
    const origin = origins.get(row) ?? {};
    const changed = cells.flatMap(({ header, value = '' }) => {
      const before = origin[header] ?? null;
      // A browser sends line breaks its own way.
      const after = typedCell(value.replaceAll('\r\n', '\n'), before, isCsv);
      return after === before ? [] : [[header, after] as const];
    });
    return { row, cells: Object.fromEntries(changed) };
  });
}

/** The page of a file of corrected rows: what it would come to, once one was sent. */
export async function readCorrectFilePage(screen: Screen) {
  const { actor, context, url } = screen;
  const found = await tapeToCorrect(screen);
  const fileId = url.searchParams.get('file');
  const file = fileId ? await fileInSight(context, actor, fileId) : null;
  let preview: PreviewedRerun | null = null;
  let fault: string | null = null;
  if (file) {
    try {
      const input = { tapeId: found.tape.id, corrections: { fileId: file.id }, shownRows: SHOWN_OF_FILE };
      preview = await previewRerun(context, input);
    } catch (error) {
      if (!isRefusal(error) || error.code === 'serverError') throw error;
      fault = error.message;
    }
  }
  return { tape: headOf(found), file: file ? { id: file.id, name: file.name } : null, preview, fault };
}

/** An uploaded file in sight. @throws Refusal notFound */
export const fileInSight = (context: RequestContext, actor: UserActor, id: string) =>
  context.store.as(actor, (session) => getStoredFile(session, id));

/** The id of a file that a form has stored. @throws Refusal notFound */
export const storedFileId = (context: RequestContext, actor: UserActor, key: string): Promise<string> =>
  context.store.as(actor, async (session) => (await findFile(session, { bucket: 'loanTapes', key })).id);
