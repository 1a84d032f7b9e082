import { redirect } from '@remix-run/node';
import { findFile, getStoredFile } from '@tapeline/db/operations/files/files.ts';
import { getMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { reasonWithValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import { type RowCorrection, shownOrigin, typedCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { expectationsByHeader } from '@tapeline/domain/tapes/expectation.ts';
import { failingColumns } from '@tapeline/domain/tapes/failing-columns.ts';
import { proposedRows } from '@tapeline/domain/tapes/proposed-rows.ts';
import { rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import type { ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import type { z } from 'zod';
import { correctionsOfFile, mappingPlan, propose, proposes } from '../../../commands/proposals.server.ts';
import { type GivenCorrections, previewRerun, startRerun, visibleErroredRows } from '../../../commands/rerun.server.ts';
import type { RequestContext } from '../../../http/context.ts';
import { intent, type Screen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../../paths.ts';
import { type CorrectForm, rowsOfAddress } from './correct-form.schema.ts';

/** Number of rows shown in the preview of a file. */
const SHOWN_OF_FILE = 20;

/** A cell of an errored row that can be corrected. */
export interface CorrectCell {
  readonly header: string;
  /** As read. */
  readonly text: string;
  /** Why the value is wrong, one reason per rule. Empty if it is valid. */
  readonly problems: readonly string[];
  /** What the mapping expects of the value, in words. Null if no rule reads the cell on its own. */
  readonly expects: string | null;
  /** Whether the current user may change it. A borrower may change only the cells that made the row fail. */
  readonly mayChange: boolean;
}

async function tapeToCorrect(screen: Screen) {
  return screen.db(async (session) => {
    const tape = await getTape(session, screen.params.id ?? '');
    const mapping = await getMapping(session, tape.mappingId);
    const generation = await publishedGeneration(session, tape.id);
    if (!generation?.manifest) {
      throw new Refusal('badRequest', 'This tape is not published yet: wait until processing is complete');
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
  isInProgress: tape.schedulerStatus === 'Processing',
});

/** The errored rows named in the address, cell by cell, with what is wrong and what is expected. */
export async function readCorrectPage(screen: Screen) {
  const found = await tapeToCorrect(screen);
  const wanted = rowsOfAddress(screen.url.searchParams.get('rows'));
  const { rows } = await visibleErroredRows(screen.context, screen.actor, found.tape.id, wanted);
  const expected = expectationsByHeader(rulesSchema.parse(found.mapping.rules));
  const isProposal = proposes(screen.actor);
  const plan = isProposal ? await mappingPlan(screen.context, screen.actor, found.tape.id) : null;
  return {
    tape: headOf(found),
    isProposal,
    rows: rows.map((row) => toCorrect(row, expected, plan && failingColumns(row, plan))),
  };
}

function toCorrect(
  { row, origin, errors }: ErroredRow,
  expected: ReadonlyMap<string, string>,
  changeable: ReadonlySet<string> | null,
) {
  const cells = Object.entries(origin).map(
    ([header, cell]): CorrectCell => ({
      header,
      text: shownOrigin(cell),
      problems: errors.filter(({ column }) => column === header).map(reasonWithValue),
      expects: expected.get(header) ?? null,
      mayChange: changeable === null || changeable.has(header),
    }),
  );
  const others = errors.filter(({ column }) => column === null || !Object.hasOwn(origin, column));
  return { row, cells, otherProblems: others.map((problem) => `${problem.target}: ${reasonWithValue(problem)}`) };
}

/** Corrected rows of a tape, or a file of them. */
interface Corrections {
  readonly tapeId: string;
  readonly corrections: GivenCorrections;
}

/**
 * Converts the form's input to corrections. Unchanged cells are not corrections.
 * @throws Refusal badRequest if the tape's errored rows have changed since, or a borrower changes a cell that made no
 * row fail
 */
export async function correctionsOf(
  form: CorrectForm,
  { context, actor, params: { id: tapeId = '' } }: Screen,
): Promise<Corrections> {
  const { generationId, isCsv, rows } = await visibleErroredRows(
    context,
    actor,
    tapeId,
    form.rows.map(({ row }) => row),
  );
  if (generationId !== form.generation || rows.length !== form.rows.length) {
    throw new Refusal('badRequest', 'The errored rows of this tape have changed. Open them from the tape again.');
  }
  const origins = new Map(rows.map(({ row, origin }) => [row, origin]));
  const corrections = form.rows.map(({ row, cells }): RowCorrection => {
    const origin = origins.get(row) ?? {};
    const changed = cells.flatMap(({ header, value = '' }) => {
      const before = origin[header] ?? null;
      // Browsers send line breaks as CRLF.
      const after = typedCell(value.replaceAll('\r\n', '\n'), before, isCsv);
      return after === before ? [] : [[header, after] as const];
    });
    return { row, cells: Object.fromEntries(changed) };
  });
  if (proposes(actor)) proposedRows(corrections, rows, await mappingPlan(context, actor, tapeId));
  return { tapeId, corrections: { rows: corrections } };
}

/**
 * The buttons that reprocess corrected rows, and that propose them to the manager.
 * @param read the corrections of the form
 */
export const correctionIntents = <Schema extends z.ZodType<{ generation: string; comment?: string | undefined }>>(
  schema: Schema,
  read: (form: z.output<Schema>, screen: Screen) => Promise<Corrections>,
) => ({
  rerun: intent({
    permission: 'assets/write',
    schema,
    async run(form, screen) {
      const { context, actor, request } = screen;
      const given = await read(form, screen);
      await startRerun(context, actor, { ...given, on: form.generation }, originOf(request, context));
      return redirect(paths.tape(given.tapeId, { view: 'errored' }));
    },
  }),
  propose: intent({
    permission: 'assets/write',
    schema,
    async run(form, screen) {
      const { context, actor, request } = screen;
      const command = { ...(await read(form, screen)), on: form.generation, comment: form.comment };
      const { id } = await propose(context, actor, command, originOf(request, context));
      return redirect(paths.proposal(command.tapeId, id));
    },
  }),
});

/** The page for a file of corrected rows, with the preview of its result once a file was sent. */
export async function readCorrectFilePage(screen: Screen) {
  const { actor, context, url } = screen;
  const found = await tapeToCorrect(screen);
  const fileId = url.searchParams.get('file');
  const file = fileId ? await visibleFile(context, actor, fileId) : null;
  let preview: PreviewedRerun | null = null;
  let problem: string | null = null;
  if (file) {
    try {
      const corrections = proposes(actor)
        ? { rows: await proposableRows(context, actor, found.tape.id, file.id) }
        : { fileId: file.id };
      preview = await previewRerun(screen, { tapeId: found.tape.id, corrections, shownRows: SHOWN_OF_FILE });
    } catch (error) {
      if (!isRefusal(error) || error.code === 'serverError') throw error;
      problem = error.message;
    }
  }
  return {
    tape: headOf(found),
    isProposal: proposes(actor),
    file: file ? { id: file.id, name: file.name } : null,
    preview,
    problem,
  };
}

/** The corrections in a borrower's file. @throws Refusal badRequest if it changes a cell that made no row fail */
async function proposableRows(context: RequestContext, actor: UserActor, tapeId: string, fileId: string) {
  const corrections = await correctionsOfFile({ context, actor }, tapeId, fileId);
  const numbers = corrections.map(({ row }) => row);
  const { rows } = await visibleErroredRows(context, actor, tapeId, numbers);
  proposedRows(corrections, rows, await mappingPlan(context, actor, tapeId));
  return corrections;
}

/** An uploaded file that is visible to the actor. @throws Refusal notFound */
export const visibleFile = (context: RequestContext, actor: UserActor, id: string) =>
  context.store.as(actor, (session) => getStoredFile(session, id));

/** The id of a file that was stored by a form. @throws Refusal notFound */
export const storedFileId = (context: RequestContext, actor: UserActor, key: string): Promise<string> =>
  context.store.as(actor, async (session) => (await findFile(session, { bucket: 'loanTapes', key })).id);
