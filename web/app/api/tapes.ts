import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { confirmUpload } from '@tapeline/db/files/receive-upload.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { getTape, LOAN_TAPES, listTapes, listTapesInWork } from '@tapeline/db/operations/tapes/tapes.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { correctionsSchema, namedCorrections } from '@tapeline/domain/tapes/corrections.schema.ts';
import { mappingPreviewSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { tapeCountsSchema } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import type { RequestContext } from '../context.ts';
import { inspectFile, previewMapping } from '../previews.server.ts';
import { checkCorrections, startRerun } from '../tapes/rerun.server.ts';
import { tapeBody } from '../tapes/tape-body.ts';
import { discardErroredRows, endProcess, startBorrowingBases, tapeProgress } from '../tapes/tape-control.server.ts';
import { timeLeftMs } from '../tapes/tape-steps.ts';
import { documentSchema, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { listEndpoint } from './list-endpoint.ts';

const tapeSchema = documentSchema
  .extend({
    company: z.string(),
    cutOffDate: z.string(),
    schedulerStatus: z.enum(['Processing', 'Completed']),
    processStatus: z.enum(['Pending', 'Processing', 'Completed']),
    counts: tapeCountsSchema.nullable(),
    calculateBB: z.boolean(),
    mainCurrency: z.string(),
    failure: z.string().nullable(),
  })
  .loose()
  .meta({ id: 'LoanTape' });

const tapeIdSchema = z.object({
  loanTapeId: z.string('is required').regex(/^[0-9a-fA-F]{24}$/, 'Ids are exactly 24 characters'),
});

/** Said in the address or in the body. */
const endProcessSchema = tapeIdSchema.extend({
  removePublished: z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' }).optional(),
});

/** An uploaded tape in sight, by its id or key, looked at where its bytes went to the storage without us. */
function uploadedTape(context: RequestContext, actor: UserActor, keyOrId: string): Promise<StoredFile> {
  return context.store.as(actor, async (session) =>
    confirmUpload(
      session,
      context.objects,
      await resolveFile(session, { bucket: 'loanTapes', keyOrId, pending: true }),
    ),
  );
}

export const tapeEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/loanTape',
    access: 'assets/read',
    summary: 'Loan tapes in sight',
    listable: LOAN_TAPES,
    list: listTapes,
    toBody: tapeBody,
    response: tapeSchema,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/loanTape/{id}/BBsStatuses',
    access: 'borrowingBase/read',
    summary: 'Where the borrowing bases of a tape stand, one entry a note',
    params: idParamsSchema,
    response: z.array(z.record(z.string(), z.unknown())),
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => {
        const tape = await getTape(session, params.id);
        return { body: tape.borrowingBaseStatuses, count: tape.borrowingBaseStatuses.length };
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/LTP',
    access: 'assets/read',
    summary: 'The tape jobs in hand with their progress',
    response: z.array(z.record(z.string(), z.unknown())),
    async handle({ actor, context }) {
      const tapes = await context.store.as(actor, (session) => listTapesInWork(session));
      const jobs = await Promise.all(
        tapes.map(async (tape) => {
          const progress = await tapeProgress(context, tape);
          const left = progress && { ...progress, timeLeftMs: timeLeftMs(progress, Date.now()) };
          return { ...tapeBody(tape), progress: left };
        }),
      );
      return { body: jobs, count: jobs.length };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/calculateBB',
    access: 'assets/write',
    summary: 'Calculate the borrowing bases of a published tape',
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
      'Correct errored rows of a published tape and run them again by its mapping: published assets stay as they are, what is still wrong or collides stays errored',
    body: correctionsSchema,
    response: z.object({
      loanTapeId: z.string(),
      workflowId: z.string(),
      result: z
        .object({ rows: z.int(), assets: z.int(), errored: z.int() })
        .nullable()
        .meta({ description: 'What it came to; null where it takes longer, and then GET /LTP tells' }),
    }),
    async handle({ body, actor, context, origin }) {
      const tapeId = body.loanTapeId.toLowerCase();
      const rows = await checkCorrections(context, actor, tapeId, namedCorrections(body));
      return { body: await startRerun(context, actor, { tapeId, corrections: { rows }, on: null }, origin) };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/LTP/assets/errored',
    access: 'assets/write',
    summary:
      'Discard errored rows of a published tape, all where no rows are named: they count as discarded from then on',
    body: tapeIdSchema.extend({
      rows: z
        .array(z.int('must be row numbers of the sheet').min(1, 'must be row numbers of the sheet'))
        .min(1, 'Name 1 to 500 rows')
        .max(500, 'Name 1 to 500 rows')
        .optional(),
    }),
    response: z.object({ ids: z.array(z.string()), counts: tapeCountsSchema }),
    async handle({ body, actor, context, origin }) {
      const command = { tapeId: body.loanTapeId.toLowerCase(), rows: body.rows ?? null };
      const tape = await discardErroredRows(context, actor, command, origin);
      return { body: { ids: [tape.id], counts: tape.counts } };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/LTP/assets/deleteProcess',
    access: 'assets/write',
    summary:
      'Take the process of a tape back: everything that it wrote goes, published assets too unless removePublished is false. A re-run of corrected rows in hand is cancelled and leaves the tape as it was unless removePublished is true',
    query: endProcessSchema.partial().loose(),
    body: endProcessSchema.partial().loose(),
    response: z.object({ ids: z.array(z.string()) }),
    async handle({ query, body, actor, context, origin }) {
      const { loanTapeId, removePublished } = endProcessSchema.parse({ ...query, ...body });
      const said = removePublished === undefined ? undefined : String(removePublished) === 'true';
      const command = { tapeId: loanTapeId.toLowerCase(), removePublished: said };
      const { id } = await endProcess(context, actor, command, origin);
      return { body: { ids: [id] } };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/preview/{fileId}/{sheetName}',
    access: 'preview/read',
    summary: 'The first 100 rows of an uploaded file as read, with its sheets and header',
    params: z.object({ fileId: z.string().min(1).max(1024), sheetName: z.string().min(1).max(255) }),
    response: z.object({
      sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
      headerRow: z.int(),
      columns: z.array(z.unknown()),
      rows: z.array(z.unknown()),
    }),
    async handle({ params, actor, context }) {
      const file = await uploadedTape(context, actor, params.fileId);
      return { body: await inspectFile(context, { fileId: file.id, sheetName: params.sheetName }) };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/preview/ETL',
    access: 'preview/read',
    summary: 'The first 100 rows as the rules would map them, each cell with its error',
    body: mappingPreviewSchema,
    response: z.object({
      targets: z.array(z.object({ path: z.string(), label: z.string() })),
      rows: z.array(z.unknown()),
      missingHeaders: z.array(z.string()),
      assets: z.int(),
      errored: z.int(),
    }),
    status: 200,
    async handle({ body, actor, context }) {
      const file = await uploadedTape(context, actor, body.fileUrl);
      return {
        body: await previewMapping(context, {
          fileId: file.id,
          sheetName: body.sheetName,
          cutOffDate: body.cutOffDate,
          primaryCurrency: body.currency,
          rules: body.rules,
        }),
      };
    },
  }),
];
