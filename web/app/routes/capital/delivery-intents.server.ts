import { redirect } from '@remix-run/node';
import { mailedTableOf } from '@tapeline/db/operations/capital/notice-mails.ts';
import { tellTheRest } from '@tapeline/db/operations/capital/tell-investors.ts';
import { type AnnouncedResource, sendAgain } from '@tapeline/db/operations/outbox/deliveries.ts';
import type { Session } from '@tapeline/db/store.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { confirmedIntent, intent, type Screen } from '../../http/screen.server.ts';

interface Announced {
  /** What the page needs. The operations require what the documents need. */
  readonly permission: PermissionKey | null;
  /** The documents of a page that the actor can see. */
  readonly documents: (
    session: Session,
    id: string,
    params: Screen['params'],
  ) => Promise<{ readonly resource: AnnouncedResource; readonly ids: readonly string[] }>;
  readonly pathOf: (id: string, params: Screen['params']) => string;
}

/** The intents of every page that lists deliveries: send an email again, tell who was not told yet. */
export const deliveryIntents = ({ permission, documents, pathOf }: Announced) => ({
  sendAgain: intent({
    permission,
    schema: z.object({ id: idSchema }),
    async run({ id: delivery }, { db, params }) {
      await db(async (session) => {
        const { resource, ids } = await documents(session, params.id ?? '', params);
        await sendAgain(session, resource, { id: delivery, documentIds: ids });
      });
      return redirect(pathOf(params.id ?? '', params));
    },
  }),
  tellRest: confirmedIntent({
    permission,
    schema: z.object({}),
    asks: 'tellRest',
    async run(_, { db, params }) {
      await db(async (session) => {
        const { resource, ids } = await documents(session, params.id ?? '', params);
        const table = mailedTableOf(resource);
        if (!table) throw new Refusal('badRequest', 'Whom this is for was decided when it was published');
        await tellTheRest(session, table, ids);
      });
      return redirect(pathOf(params.id ?? '', params));
    },
  }),
});
