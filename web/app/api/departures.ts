import { listDepartures, removeDeparture, shownDeparture } from '@tapeline/db/operations/tapes/departures.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { departureSchema, shownDepartureSchema } from '@tapeline/domain/pools/departure.schema.ts';
import { z } from 'zod';
import { sayWhatHappened } from '../commands/departures.server.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { inSightOf } from './pool-analytics.ts';

const PATH = '/LTP/analytics/rollForward/departures';
const tapeSchema = z.object({ loanTapeId: idSchema });

/** What happened to loans that a tape no longer reports. Until somebody says so, they are unexplained in its roll-forward. */
export const departureEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'assets/read',
    summary: 'List what was said of loans that left since the previous tape, the latest statement first; up to 20',
    query: tapeSchema,
    response: z.array(shownDepartureSchema),
    handle: ({ query: { loanTapeId }, db }) =>
      db(async (session) => ({ body: (await listDepartures(session, loanTapeId)).map(shownDeparture) })),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'assets/write',
    summary:
      'Say what happened to loans that left since the previous tape: sold, repurchased, paid or substituted. They are then explained in the roll-forward and in the score of the borrower. Not available to borrowers',
    body: departureSchema.and(tapeSchema),
    response: shownDepartureSchema,
    async handle({ body: { loanTapeId, ...body }, ...calling }) {
      const asCaller = inSightOf(calling);
      const departure = await sayWhatHappened(calling.context, asCaller, { tapeId: loanTapeId, body });
      return { status: 201, body: shownDeparture(departure) };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    access: 'assets/write',
    summary: 'Take back a statement: its loans are unexplained again. Not available to borrowers',
    params: idParamsSchema,
    response: shownDepartureSchema,
    handle: ({ params: { id }, db }) =>
      db(async (session) => ({ body: shownDeparture(await removeDeparture(session, id)) })),
  }),
];
