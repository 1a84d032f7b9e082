import { redirect } from '@remix-run/node';
import { lineIds, retryNotices } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import type { LineTable } from '@tapeline/db/operations/capital/headers.ts';
import { submitForIssue } from '@tapeline/db/operations/capital/issue-requests.ts';
import {
  issueNetted,
  netDrafts,
  type PairCommand,
  separateDrafts,
  withdrawNetted,
} from '@tapeline/db/operations/capital/netting.ts';
import type { Session } from '@tapeline/db/store.ts';
import { z } from 'zod';
import { intent } from '../../http/screen.server.ts';
import { deliveryIntents } from './delivery-intents.server.ts';
import { headerRemovalForm, pairForm, stepForm } from './header-actions.ts';

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

type Seen = PairCommand['call'];

/** A call and the distribution that it is netted with, by the page of either. */
export const pairOf = (table: LineTable, own: Seen, other: Seen): PairCommand =>
  table === 'contributions' ? { call: own, distribution: other } : { call: other, distribution: own };

/** The intents of a call's or distribution's page: issue, submit for issue, close, remove, net and settle separately, make failed notices again, send emails again. */
export const headerIntents = ({ table, step, remove, pathOf, list }: Headers) => {
  const permission = `${table}/write` as const;
  const stepTo = (status: 'Active' | 'Closed', ask: string) =>
    intent({
      permission,
      schema: stepForm,
      async run({ headerVersion: version, confirmed, other }, { db, params: { id = '' } }) {
        if (!confirmed) return redirect(pathOf(id, { ask }));
        await db((session) =>
          other && status === 'Active'
            ? issueNetted(session, pairOf(table, { id, version }, other))
            : step(session, { id, version, status }),
        );
        return redirect(pathOf(id));
      },
    });
  const netting = (change: (session: Session, pair: PairCommand) => Promise<unknown>) =>
    intent({
      permission,
      schema: pairForm,
      async run({ headerVersion: version, other }, { db, params: { id = '' } }) {
        await db((session) => change(session, pairOf(table, { id, version }, other)));
        return redirect(pathOf(id));
      },
    });
  return {
    issue: stepTo('Active', 'issue'),
    close: stepTo('Closed', 'close'),
    net: netting(netDrafts),
    separate: netting(separateDrafts),
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
      async run({ headerVersion: version, reason = null, other }, { db, params: { id = '' } }) {
        await db((session) =>
          other
            ? withdrawNetted(session, { ...pairOf(table, { id, version }, other), reason })
            : remove(session, { id, version, reason }),
        );
        return redirect(list());
      },
    }),
  };
};
