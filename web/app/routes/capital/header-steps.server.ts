import { redirect } from '@remix-run/node';
import { lineIds, retryNotices } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import type { LineTable } from '@tapeline/db/operations/capital/headers.ts';
import { submitForIssue } from '@tapeline/db/operations/capital/issue-requests.ts';
import type { Session } from '@tapeline/db/store.ts';
import { z } from 'zod';
import { intent } from '../../http/screen.server.ts';
import { deliveryIntents } from './delivery-intents.server.ts';
import { headerRemovalForm, stepForm } from './header-actions.ts';

interface Headers {
  readonly table: LineTable;
  readonly step: (
    session: Session,
    command: { id: string; version: number; status: 'Active' | 'Closed' },
  ) => Promise<void>;
  readonly remove: (
    session: Session,
    command: { id: string; version: number; reason?: string | null },
  ) => Promise<void>;
  readonly pathOf: (id: string, search?: { ask?: string }) => string;
  readonly list: () => string;
}

/** The intents of a call's or distribution's page: issue, submit for issue, close, remove, make failed notices again, send emails again. */
export const headerIntents = ({ table, step, remove, pathOf, list }: Headers) => {
  const permission = `${table}/write` as const;
  const stepTo = (status: 'Active' | 'Closed', ask: string) =>
    intent({
      permission,
      schema: stepForm,
      async run({ headerVersion: version, confirmed }, { db, params: { id = '' } }) {
        if (!confirmed) return redirect(pathOf(id, { ask }));
        await db((session) => step(session, { id, version, status }));
        return redirect(pathOf(id));
      },
    });
  return {
    issue: stepTo('Active', 'issue'),
    close: stepTo('Closed', 'close'),
    submit: intent({
      permission,
      schema: stepForm,
      async run({ headerVersion: version }, { db, params: { id = '' } }) {
        await db((session) => submitForIssue(session, table, { id, version }));
        return redirect(pathOf(id));
      },
    }),
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
      documents: async (session, id) => ({ resource: table, ids: await lineIds(session, table, id) }),
      pathOf: (id) => pathOf(id),
    }),
    remove: intent({
      permission,
      schema: headerRemovalForm,
      async run({ headerVersion: version, reason }, { db, params: { id = '' } }) {
        await db((session) => remove(session, { id, version, reason: reason ?? null }));
        return redirect(list());
      },
    }),
  };
};
