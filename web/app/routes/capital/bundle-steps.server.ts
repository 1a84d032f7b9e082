import { redirect } from '@remix-run/node';
import type { Session } from '@tapeline/db/store.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { intent } from '../../http/screen.server.ts';
import { removalForm, stepForm } from './bundle-actions.ts';

interface Bundles {
  readonly permission: PermissionKey;
  readonly step: (
    session: Session,
    command: { id: string; stamp: string; status: 'Active' | 'Closed' },
  ) => Promise<void>;
  readonly remove: (session: Session, command: { id: string; stamp: string; reason?: string | null }) => Promise<void>;
  readonly pathOf: (id: string, search?: { ask?: string }) => string;
  readonly list: () => string;
}

/** The intents of a call's or distribution's page: issue, close, remove. */
export const bundleIntents = ({ permission, step, remove, pathOf, list }: Bundles) => {
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
