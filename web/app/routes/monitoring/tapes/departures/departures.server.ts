import { redirect } from '@remix-run/node';
import {
  DEPARTURE_BUCKET,
  listDepartures,
  removeDeparture,
  requireDepartures,
  shownDeparture,
} from '@tapeline/db/operations/tapes/departures.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { z } from 'zod';
import { sayWhatHappened, unexplainedIds } from '../../../../commands/departures.server.ts';
import { storeUploads } from '../../../../commands/form-files.server.ts';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { departureForm } from './departure-form.ts';

/** So many ids are in the form at first. More are pasted. */
const MAX_PREFILLED = 500;

export const readDepartures = readScreen('assets/write', async ({ context, db, params: { id = '' } }) => {
  const { tape, departures } = await db(async (session) => {
    requireDepartures(session);
    const { id: tapeId, cutOffDate, attachment } = await getTape(session, id);
    return {
      tape: { id: tapeId, cutOffDate, name: attachment.name },
      departures: (await listDepartures(session, tapeId)).map(shownDeparture),
    };
  });
  const { ids, ...unexplained } = await unexplainedIds(context, db, tape.id);
  return { tape, departures, unexplained, ids: ids.length <= MAX_PREFILLED ? ids : [] };
});

export const saveDepartures = act(
  {
    create: intent({
      permission: 'assets/write',
      schema: departureForm,
      async run({ refused, document, ids: assetIds, ...body }, { context, db, params: { id = '' } }) {
        if (refused) throw new Refusal('badRequest', refused);
        const entered = { ...body, assetIds, document: document || null };
        const said = sayWhatHappened(context, db, { tapeId: id, body: entered });
        await flagsAt(said, (path) => (path === 'assetIds' ? 'ids' : path));
        return redirect(paths.tapeDepartures(id));
      },
    }),
    remove: intent({
      permission: 'assets/write',
      schema: z.object({ departure: idSchema }),
      async run({ departure }, { db, params: { id = '' } }) {
        await db((session) => removeDeparture(session, departure));
        return redirect(paths.tapeDepartures(id));
      },
    }),
  },
  {
    files: { permission: 'assets/write', store: (screen) => storeUploads(screen, { bucket: DEPARTURE_BUCKET }) },
  },
);
