import type { StoredFile } from '@tapeline/db/entities/records.ts';
import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { readAssetId } from '@tapeline/db/ids.ts';
import { currencyOfCompany, getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { uploadedFile } from '@tapeline/db/operations/files/files.ts';
import {
  getTape,
  LOAN_TAPES,
  listTapes,
  listTapesInProgress,
  tapesWithUnstableIds,
} from '@tapeline/db/operations/tapes/tapes.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { correctionsSchema, namedCorrections, rowId } from '@tapeline/domain/tapes/corrections.schema.ts';
import { mappingPreviewSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { timeLeftMs } from '@tapeline/domain/tapes/progress.ts';
import { tapeCountsSchema } from '@tapeline/domain/tapes/tape.schema.ts';
import { tapeAnswersSchema } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { visibleCalculations } from '@tapeline/domain/tapes/visible-calculations.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { z } from 'zod';
import { inspectFile, previewMapping } from '../commands/previews.server.ts';
import { propose, proposes } from '../commands/proposals.server.ts';
import { checkCorrections, startRerun } from '../commands/rerun.server.ts';
import {
  discardErroredRows,
  endProcess,
  startBorrowingBases,
  tapeProgress,
  waitsForWorker,
} from '../commands/tape-control.server.ts';
import { answerTape, retryTape } from '../commands/upload.server.ts';
import type { RequestContext } from '../http/context.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';
import { proposalBody, proposalSchema } from './proposals.ts';
import { ofCollection, resource } from './resource.ts';
import { jobSchema, rerunResultSchema, tapeSchema } from './tape-bodies.ts';
import { tapeBody } from './tape-body.ts';

const calculationSchema = z
  .object({
    transactionId: z.string(),
    noteId: z.string(),
    noteTitle: z.string(),
    contractId: z.string().nullable(),
    status: z.enum(['Pending', 'Processing', 'Completed']),
    borrowingBaseId: z.string().nullable(),
    failure: z.string().nullable(),
  })
  .meta({ id: 'BorrowingBaseStatus' });

const tapeIdSchema = z.object({ loanTapeId: idSchema });

/** These fields can be given in the address or in the body. */
const endProcessSchema = tapeIdSchema.extend({
  removePublished: z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' }).optional(),
});

const atMostRows = <Named extends z.ZodType>(named: Named) =>
  z.array(named).min(1, 'Give 1 to 500 rows').max(500, 'Give 1 to 500 rows').optional();

/**
 * Returns the row numbers of errored rows of a tape.
 * @throws Refusal badRequest if an id belongs to another tape; notFound
 */
async function rowsOfIds(
  context: RequestContext,
  actor: UserActor,
  tapeId: string,
  ids: readonly string[],
): Promise<number[]> {
  const { assetPrefix } = await context.store.as(actor, (session) => getTape(session, tapeId));
  const named = ids.map(readAssetId);
  const wrong = ids.filter((_, at) => named[at]?.assetPrefix !== assetPrefix);
  if (wrong.length > 0) {
    throw new Refusal('badRequest', `Not errored rows of this tape: ${wrong.slice(0, 10).join(', ')}`, {
      flags: { ids: 'includes rows that are not errored' },
    });
  }
  return named.flatMap((each) => (each ? [each.row] : []));
}

/** An uploaded tape that is visible to the actor, by its id or key. */
function uploadedTape(context: RequestContext, actor: UserActor, keyOrId: string): Promise<StoredFile> {
  return context.store.as(actor, (session) => uploadedFile(session, { bucket: 'loanTapes', keyOrId }));
}

/** @throws Refusal badRequest (flag on `currency`) if the file is of no company, or the company has no currency */
function currencyOfFile(context: RequestContext, actor: UserActor, { companyId }: StoredFile): Promise<string> {
  const id = companyId ?? actor.companyId;
  if (!id) {
    throw new Refusal('badRequest', 'Enter the currency: the file belongs to no borrower', {
      flags: { currency: 'is required, since the file belongs to no borrower' },
    });
  }
  return context.store.as(actor, async (session) => currencyOfCompany(await getCompany(session, id), 'currency'));
}

/** What a tape's document has besides the fields of the tape. */
async function moreOfTapes(tapes: readonly LoanTape[], context: RequestContext, session: ReadSession) {
  const isInProgress = (tape: LoanTape) => tape.schedulerStatus === 'Processing';
  const waits = tapes.some(isInProgress) && (await waitsForWorker(context));
  const unstable = await tapesWithUnstableIds(session, tapes);
  return tapes.map((tape) => ({
    waitsForWorker: waits && isInProgress(tape),
    ...(unstable.has(tape.id) ? { unstableIds: true as const } : {}),
  }));
}

export const tapeEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('loanTapes'),
    response: tapeSchema,
    toBody: tapeBody,
    list: {
      listable: LOAN_TAPES,
      load: listTapes,
      withMore: moreOfTapes,
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/loanTape/{id}/BBsStatuses',
    access: 'borrowingBase/read',
    summary:
      'Get the status of a tape’s borrowing bases, one entry per note. A failed calculation is Pending with its failure',
    params: idParamsSchema,
    response: z.array(calculationSchema),
    handle: ({ params, db }) =>
      db(async (session) => {
        const { borrowingBaseStatuses } = await getTape(session, params.id);
        const body = visibleCalculations(session.actor, borrowingBaseStatuses).map((entry) => ({
          ...entry,
          // Entries written by earlier versions have the status Completed even if they have a failure.
          status: entry.failure === null ? entry.status : 'Pending',
        }));
        return { body, count: body.length };
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/LTP',
    access: 'assets/read',
    summary: 'List tape jobs in progress and whether they are waiting for a worker',
    response: z.array(jobSchema),
    async handle({ context, db }) {
      const { tapes, more } = await db(async (session) => {
        const found = await listTapesInProgress(session);
        return { tapes: found, more: await moreOfTapes(found, context, session) };
      });
      const jobs = await Promise.all(
        tapes.map(async (tape, index) => {
          const progress = await tapeProgress(context, tape);
          const left = progress && { ...progress, timeLeftMs: timeLeftMs(progress, Date.now()) };
          return { ...tapeBody(tape), ...more[index], progress: left };
        }),
      );
      return { body: jobs, count: jobs.length };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/questions/{loanTapeId}',
    access: 'assets/write',
    summary:
      'Answer the open questions of a tape that was scheduled with onDoubt: ask. Its processing starts once all are answered',
    params: tapeIdSchema,
    body: tapeAnswersSchema,
    response: z.object({ loanTapeId: z.string(), workflowId: z.string() }),
    status: 200,
    async handle({ params, body, actor, context, origin }) {
      const tapeId = params.loanTapeId.toLowerCase();
      await answerTape(context, actor, { tapeId, answers: body.answers }, origin);
      return { body: { loanTapeId: tapeId, workflowId: WORKFLOW_IDS.tape(tapeId) } };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/calculateBB',
    access: 'assets/write',
    summary:
      'Calculate the borrowing bases of a published tape, one per note with an Active contract. A calculation in progress also picks up newly added notes. Not available to borrowers',
    body: tapeIdSchema,
    response: z.object({ loanTapeId: z.string(), workflowId: z.string() }),
    async handle({ body, actor, context }) {
      return { body: await startBorrowingBases(context, actor, body.loanTapeId) };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/assets/errored',
    access: 'assets/write',
    summary:
      'Correct errored rows of a published tape and reprocess them with its mapping. Published assets do not change; rows that are still invalid remain errored. A borrower’s correction can change only the cells that caused the error and becomes a proposal to the manager. Without assets, a tape that failed is processed again',
    body: correctionsSchema.partial({ assets: true }),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.object({
      loanTapeId: z.string(),
      workflowId: z.string().nullable().meta({ description: 'Null for a proposal, which is not processed yet' }),
      result: rerunResultSchema,
      proposal: proposalSchema
        .optional()
        .meta({ description: 'A borrower’s correction, awaiting the manager’s decision' }),
    }),
    async handle({ body: { assets, ...body }, actor, context, origin, db }) {
      const tapeId = body.loanTapeId.toLowerCase();
      if (!assets) {
        await retryTape(context, actor, tapeId, origin);
        return { body: { loanTapeId: tapeId, workflowId: WORKFLOW_IDS.tape(tapeId), result: null } };
      }
      const rows = await checkCorrections(context, actor, tapeId, namedCorrections(assets));
      if (proposes(actor)) {
        const command = { tapeId, corrections: { rows }, on: null, comment: body.comment };
        const { id } = await propose(context, actor, command, origin);
        const proposal = await db((session) => proposalBody(session, id));
        return { body: { loanTapeId: tapeId, workflowId: null, result: null, proposal } };
      }
      return { body: await startRerun(context, actor, { tapeId, corrections: { rows }, on: null }, origin) };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/LTP/assets/errored',
    access: 'assets/write',
    summary:
      'Discard errored rows of a published tape by their ids or row numbers, all where none are named: they count as discarded from then on. Not for borrowers',
    body: tapeIdSchema.extend({
      rows: atMostRows(z.int('must be row numbers of the sheet').min(1, 'must be row numbers of the sheet')),
      ids: atMostRows(idSchema),
    }),
    response: z.object({
      ids: z.array(z.string()).meta({ description: 'The ids of the errored rows that were discarded' }),
      counts: tapeCountsSchema,
    }),
    async handle({ body: { loanTapeId, rows, ids }, actor, context, origin }) {
      const tapeId = loanTapeId.toLowerCase();
      const named = ids && (await rowsOfIds(context, actor, tapeId, ids));
      const command = { tapeId, rows: rows || named ? [...(rows ?? []), ...(named ?? [])] : null };
      const discarded = await discardErroredRows(context, actor, command, origin);
      const { assetPrefix, counts } = discarded.tape;
      return { body: { ids: discarded.rows.map((row) => rowId(assetPrefix, row)), counts } };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/LTP/assets/deleteProcess',
    access: 'assets/write',
    summary:
      'Cancel the processing of a tape and remove its data, but keep a published tape unless removePublished is true. During a borrowing-base calculation or reprocessing, only that job is cancelled, unless removePublished is true. Borrowers can remove only unpublished tapes',
    query: endProcessSchema.partial().loose(),
    body: endProcessSchema.partial(),
    response: z.object({ ids: z.array(z.string()) }),
    async handle({ query, body, actor, context, origin }) {
      const { loanTapeId, removePublished } = endProcessSchema.parse({ ...query, ...body });
      const command = { tapeId: loanTapeId.toLowerCase(), removePublished: String(removePublished) === 'true' };
      const { id } = await endProcess(context, actor, command, origin);
      return { body: { ids: [id] } };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/preview/{fileId}/{sheetName}',
    access: 'preview/read',
    summary:
      'Preview the first 100 rows of an uploaded file as read, with its sheets and header. Cells over 1,000 characters are truncated',
    params: z.object({ fileId: z.string().min(1).max(1024), sheetName: z.string().min(1).max(255) }),
    response: z.object({
      kind: z.enum(['xlsx', 'csv']),
      sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
      sheetName: z.string(),
      epoch: z.union([z.literal(1900), z.literal(1904)]).meta({ description: 'First year of the dates of the file' }),
      headerRow: z.int(),
      titles: z.array(z.string()).meta({ description: 'What the rows above the header say, a text for each row' }),
      columns: z.array(
        z.object({ index: z.int(), header: z.string(), kinds: z.array(z.string()), group: z.string().optional() }),
      ),
      rows: z.array(
        z.object({
          row: z.int(),
          cells: z.array(
            z.object({ kind: z.enum(['blank', 'number', 'text', 'boolean', 'date', 'error']), text: z.string() }),
          ),
        }),
      ),
      notices: z
        .array(z.string())
        .optional()
        .meta({ description: 'Content of the first rows that cannot be read, as sentences' }),
    }),
    async handle({ params, actor, context }) {
      const file = await uploadedTape(context, actor, params.fileId);
      return { body: await inspectFile({ context, actor }, { fileId: file.id, sheetName: params.sheetName }) };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/preview/ETL',
    access: 'preview/read',
    summary:
      'Preview the first 100 rows as mapped by the rules, with each cell’s error or its warning, if its value is outside the plausible range, left empty because the cell could not be read, or an amount that another decimal sign reads differently. Text over 1,000 characters is truncated. A user can run at most 4 previews at once',
    body: mappingPreviewSchema,
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.object({
      targets: z.array(z.object({ path: z.string(), label: z.string() })),
      rows: z.array(
        z.object({
          row: z.int(),
          cells: z.array(
            z.object({ value: z.string().nullable(), error: z.string().nullable(), warning: z.string().nullable() }),
          ),
          errors: z.array(z.object({ rule: z.int(), column: z.string(), reason: z.string() })),
        }),
      ),
      missingHeaders: z.array(z.string()),
      assets: z.int(),
      errored: z.int(),
      warned: z.int().meta({
        description:
          'Assets with a value outside the plausible range, left empty because its cell could not be read, or unclear because another decimal sign reads it differently',
      }),
    }),
    status: 200,
    async handle({ body, actor, context }) {
      const file = await uploadedTape(context, actor, body.fileUrl);
      const primaryCurrency = body.currency ?? (await currencyOfFile(context, actor, file));
      return {
        body: await previewMapping(
          { context, actor },
          {
            fileId: file.id,
            sheetName: body.sheetName,
            cutOffDate: body.cutOffDate,
            primaryCurrency,
            rules: body.rules,
          },
        ),
      };
    },
  }),
];
