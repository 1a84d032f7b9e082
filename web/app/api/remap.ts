import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { CHECK_SECONDS } from '@tapeline/workflows/check/activities.ts';
import { MAX_REVIEWED_FIELDS } from '@tapeline/workflows/corrections/preview.ts';
import { z } from 'zod';
import { reviewRemap, startRemap } from '../commands/remap.server.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { reviewedNoteSchema } from './proposals.ts';
import { rerunResultSchema } from './tape-bodies.ts';

const paramsSchema = z.object({ loanTapeId: idSchema });
const bodySchema = z.object({
  assetsETL: idSchema.meta({ description: 'Another mapping version of the tape’s company' }),
});
const countsSchema = z.object({ assets: z.int(), errored: z.int(), discarded: z.int() });

const reviewSchema = z
  .object({
    before: countsSchema,
    after: countsSchema,
    becomeAssets: z.int().meta({ description: 'Rows that are assets only afterwards' }),
    stopBeingAssets: z.int().meta({ description: 'Rows that are assets only before' }),
    balances: z
      .array(z.object({ currency: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
      .meta({ description: 'Outstanding balance of the assets, by currency; null if no asset has one' }),
    fields: z
      .array(
        z.object({
          path: z.string(),
          label: z.string(),
          change: z.enum(['added', 'removed', 'changed']),
          assets: z
            .int()
            .meta({ description: 'Assets with another value; of an added or removed field, with a value' }),
        }),
      )
      .meta({ description: `Those of the most assets first; ${MAX_REVIEWED_FIELDS} at most` }),
    moreFields: z.int().meta({ description: 'Fields that are not listed' }),
    correctedRows: z.int().meta({ description: 'Rows whose cells were corrected, and stay so' }),
    notes: z.array(reviewedNoteSchema),
    calculates: z.boolean().meta({ description: 'Whether the borrowing bases of the tape are calculated again' }),
    generationId: z.string().nullable().meta({
      description: 'What the effect was calculated on. Send it as “on” to process the tape only if it is the same',
    }),
  })
  .meta({ id: 'RemapReview' });

/** Extensions of the specification. */
export const remapEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/LTP/remap/{loanTapeId}/review',
    access: 'assets/write',
    summary: `Calculate the effect of another mapping version on a published tape: rows, balances, fields and borrowing bases. Nothing is stored. The call answers within ${CHECK_SECONDS} seconds. Not available to borrowers`,
    params: paramsSchema,
    body: bodySchema,
    response: reviewSchema,
    status: 200,
    handle: async ({ params, body, actor, context, request }) => ({
      body: await reviewRemap(
        context,
        actor,
        { tapeId: params.loanTapeId.toLowerCase(), mappingId: body.assetsETL },
        request.signal,
      ),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/LTP/remap/{loanTapeId}',
    access: 'assets/write',
    summary:
      'Process the stored file of a published tape with another mapping version. Corrected cells stay corrected, and discarded rows that are errored again stay discarded. The published assets stay visible until the new ones replace them; earlier certificates stay readable. Not available to borrowers',
    params: paramsSchema,
    body: bodySchema.extend({
      on: idSchema
        .nullish()
        .meta({ description: 'generationId of the review; the call fails if the tape was published again since' }),
    }),
    response: z.object({
      loanTapeId: z.string(),
      workflowId: z.string(),
      result: rerunResultSchema,
    }),
    async handle({ params, body, actor, context, origin }) {
      const command = {
        tapeId: params.loanTapeId.toLowerCase(),
        mappingId: body.assetsETL,
        on: body.on ?? null,
      };
      return { body: await startRemap(context, actor, command, origin) };
    },
  }),
];
