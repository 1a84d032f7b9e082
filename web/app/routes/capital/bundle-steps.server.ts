import { redirect } from '@remix-run/node';
import { partIds, retryNotices } from '@tapeline/db/operations/capital/bundles.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { intent } from '../../http/screen.server.ts';
import { removalForm, stepForm } from './bundle-actions.ts';
import { deliveryIntents } from './delivery-intents.server.ts';

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
    ...deliveryIntents({
      permission,
      documents: async (session, id) => ({ resource: table, ids: await partIds(session, table, id) }),
      pathOf: (id) => pathOf(id),
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
