import { DRAWS, type DrawView, getDraw, listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { deleteManyPermanently } from '@tapeline/db/operations/history/permanent-delete.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import {
  drawChangeSchema,
  drawCreateSchema,
  drawRequestSchema,
  drawUpdateSchema,
} from '@tapeline/domain/draws/draw.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { changeDraw, changeDraws, requestDraws, withdrawDraws } from '../commands/draws.server.ts';
import { idsQuerySchema, itemsOf, oneOrMany, removedSchema } from './bulk.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { withFirstStatus } from './status-fields.ts';

const PATH = callsOf('draws');

const toBody = (draw: DrawView) => ({
  ...baseOf(draw),
  transaction: { id: draw.transactionId, title: draw.transactionTitle },
  noteTitle: draw.noteTitle,
  cutOffDate: draw.cutOffDate,
  dueDate: draw.dueDate,
  draws: draw.draws.map(({ type, amounts, valueInUSD, amountInMainCurrency }) => ({
    type,
    amounts,
    valueInUSD: exactNumber(valueInUSD),
    amountInMainCurrency,
  })),
  valueInUsd: exactNumber(draw.valueInUsd ?? null),
  amountInMainCurrency: draw.amountInMainCurrency ?? null,
  exceptions: draw.exceptions.map(({ exception, status, reason }) => ({
    exception: {
      message: exception.message,
      stage: exception.stage,
      drawType: exception.drawType,
      amount: exactNumber(exception.amount),
      exceededBy: exactNumber(exception.exceededBy),
      currency: exception.currency,
      ...(exception.covenant && { covenant: exception.covenant }),
    },
    status,
    reason,
  })),
  rejectionMessage: draw.rejectionMessage ?? null,
  description: draw.description ?? null,
  attachments: draw.attachments,
});

export const drawEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('draws'),
    response: drawRequestSchema,
    toBody,
    list: { listable: DRAWS, load: listDraws },
    get: getDraw,
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'transactionDraw/write',
    summary: 'Request a draw on a note, or a list of draws: the answer has the exceptions that the checks found',
    body: oneOrMany(withFirstStatus(drawCreateSchema, 'Pending')),
    response: z.union([drawRequestSchema, z.array(drawRequestSchema)]),
    async handle({ body, actor, context, origin }) {
      const draws = await requestDraws({ context, actor, origin }, [body].flat());
      return { body: Array.isArray(body) ? draws.map(toBody) : draws.map(toBody)[0] };
    },
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/{id}`,
    access: 'transactionDraw/write',
    summary:
      'Change, approve or reject a draw request, or skip its exceptions with a reason. An approval runs the checks again',
    params: idParamsSchema,
    body: drawUpdateSchema,
    response: drawRequestSchema,
    handle: async ({ params, body, actor, context, origin }) => ({
      body: toBody(await changeDraw({ context, actor, origin }, params.id, body)),
    }),
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/bulk`,
    access: 'transactionDraw/write',
    summary: 'Update draw requests',
    body: itemsOf(drawChangeSchema).refine((items) => new Set(items.map(({ id }) => id)).size === items.length, {
      message: 'must name each document once',
    }),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.array(drawRequestSchema),
    handle: async ({ body, actor, context, origin }) => ({
      body: (await changeDraws({ context, actor, origin }, body)).map(toBody),
    }),
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'transactionDraw/write',
    summary: 'Delete draw requests that are not approved',
    query: idsQuerySchema(),
    response: removedSchema,
    async handle({ query: { ids, permanent }, actor, context, origin, db }) {
      if (permanent === 'true') await db((session) => deleteManyPermanently(session, { resource: 'draws', ids }));
      else await withdrawDraws({ context, actor, origin }, ids);
      return { body: { ids } };
    },
  }),
];
