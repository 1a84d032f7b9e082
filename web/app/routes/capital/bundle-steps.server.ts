import { redirect } from '@remix-run/node';
import { partIds, retryNotices } from '@tapeline/db/operations/capital/bundles.ts';
import { sendAgain, tellTheRest } from '@tapeline/db/operations/capital/deliveries.ts';
import type { Session } from '@tapeline/db/store.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { intent } from '../../http/screen.server.ts';
import { removalForm, stepForm } from './bundle-actions.ts';

interface Bundles {
  readonly permission: PermissionKey;
  readonly table: 'contributions' | 'distributions';
  readonly step: (
    session: Session,
    command: { id: string; stamp: string; status: 'Active' | 'Closed' },
  ) => Promise<void>;
  readonly remove: (session: Session, command: { id: string; stamp: string; reason?: string | null }) => Promise<void>;
  readonly pathOf: (id: string, search?: { ask?: string }) => string;
  readonly list: () => string;
}

/** The intents of a call's or distribution's page: issue, close, remove, make failed notices again, send emails again. */
export const bundleIntents = ({ permission, table, step, remove, pathOf, list }: Bundles) => {
  const stepTo = (status: 'Active' | 'Closed', ask: string) =>
    intent({
      permission,
      schema: stepForm,
      async run({ stamp, confirmed }, { db, params: { id = '' } }) {
        if (!confirmed) return redirect(pathOf(id, { ask }));
        await db((session) => step(session, { id, stamp, status }));
        return redirect(pathOf(id));
      },
    });
  return {
    issue: stepTo('Active', 'issue'),
    close: stepTo('Closed', 'close'),
    retryNotices: intent({
      permission,
      schema: z.object({}),
      async run(_, { db, params: { id = '' } }) {
        await db((session) => retryNotices(session, table, id));
        return redirect(pathOf(id));
      },
    }),
    sendAgain: intent({
      permission,
      schema: z.object({ id: idSchema }),
      async run({ id: delivery }, { db, params: { id = '' } }) {
        await db(async (session) =>
          sendAgain(session, table, { id: delivery, documentIds: await partIds(session, table, id) }),
        );
        return redirect(pathOf(id));
      },
    }),
    tellRest: intent({
      permission,
      schema: z.object({}),
      async run(_, { db, params: { id = '' } }) {
        await db(async (session) => tellTheRest(session, table, await partIds(session, table, id)));
        return redirect(pathOf(id));
      },
    }),
    remove: intent({
      permission,
      schema: removalForm,
      async run({ stamp, reason }, { db, params: { id = '' } }) {
        await db((session) => remove(session, { id, stamp, reason: reason ?? null }));
        return redirect(list());
      },
    }),
  };
};
