import { redirect } from '@remix-run/node';
import { activitiesOf, secondPersonWarnings } from '@tapeline/db/operations/capital/issue-approval.ts';
import { changeReports, removeReports } from '@tapeline/db/operations/capital/reports.ts';
import {
  CAPITAL_ACCOUNTS,
  changeCapitalAccounts,
  removeCapitalAccounts,
} from '@tapeline/db/operations/capital/statements.ts';
import { nobodyTold, type WhoIsTold, whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { toldOf } from '@tapeline/db/operations/outbox/deliveries.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { z } from 'zod';
import { intent, type Screen } from '../../../http/screen.server.ts';
import { documentsRemovalForm, publishForm } from './document-form.ts';
import { documentValue } from './document-value.ts';

/** The list shows documents without numbers: a refusal is reported without the place of its item. */
async function told<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, flags, cause } = error;
    if (flags?.reason) throw new Refusal(code, message, { flags: { reason: message }, cause: error });
    if (!isRefusal(cause)) throw error;
    throw new Refusal(code, cause.message, { cause: error });
  }
}

/** Publishes statements and reports, all or none. @returns their ids */
async function publish(session: Session, documents: z.output<typeof publishForm>['documents']) {
  const of = (wanted: 'statement' | 'report') =>
    documents.flatMap(({ kind, ...item }) => (kind === wanted ? [{ ...item, status: 'Active' as const }] : []));
  const ids = (views: readonly { id: string }[]) => views.map(({ id }) => id);
  return {
    statements: ids(await changeCapitalAccounts(session, of('statement'))),
    reports: ids(await changeReports(session, of('report'))),
  };
}

/** What is asked before documents are published or removed. */
export interface DocumentsReview {
  readonly step: 'publish' | 'remove';
  readonly who: WhoIsTold;
  readonly warnings: readonly string[];
  /** As their checkboxes name them. */
  readonly documents: readonly string[];
  /** Of a removal: what is wrong with its reason. */
  readonly problem?: string;
}

const answerReview = (review: DocumentsReview) =>
  Response.json(
    {
      intent: 'reviewDocuments',
      done: false,
      lastResult: { initialValue: { documents: review.documents } },
      review,
    },
    { status: review.problem ? 422 : 200 },
  );

/** Removes statements and reports, all or none. */
async function remove(session: Session, { documents, reason }: z.output<typeof documentsRemovalForm>): Promise<void> {
  const of = (wanted: 'statement' | 'report') =>
    documents.flatMap((document) => (document.kind === wanted ? [document.id] : []));
  await removeCapitalAccounts(session, { ids: of('statement'), reason });
  await removeReports(session, { ids: of('report'), reason });
}

const RESOURCES = { statement: 'capitalAccounts', report: 'reports' } as const;

/** Asks before documents are removed: who is told that they are withdrawn, as removing them in a dry run says. */
async function askRemoval(
  screen: Screen,
  documents: z.output<typeof documentsRemovalForm>['documents'],
  problem?: string,
) {
  const found = await told(
    screen.dryRun(async (session) => {
      await remove(session, { documents, reason: 'Asked who is told' });
      return Promise.all(
        (['statement', 'report'] as const).map((kind) =>
          toldOf(session, RESOURCES[kind], {
            ids: documents.flatMap((document) => (document.kind === kind ? [document.id] : [])),
            about: 'withdrawal',
          }),
        ),
      );
    }),
  );
  const investors = found
    .flat()
    .map(({ documentId, party, ...person }) => ({ documentId, investor: party, told: [person] }));
  return answerReview({
    step: 'remove',
    who: { investors, isPast: false },
    warnings: [],
    documents: documents.map(documentValue),
    ...(problem ? { problem } : {}),
  });
}

/** The intents of a list of statements and reports: publish or remove those that are chosen, all or none. */
export const documentIntents = (backTo: (id: string) => string) => ({
  reviewDocuments: intent({
    permission: 'funds/write',
    schema: publishForm,
    async run({ documents }, screen) {
      const review = await told(
        screen.dryRun(async (session) => {
          const published = await publish(session, documents);
          const of = {
            capital_accounts: await whoIsTold(session, 'capital_accounts', published.statements),
            reports: await whoIsTold(session, 'reports', published.reports),
          };
          const parts = Object.values(of).filter(({ investors }) => investors.length > 0);
          return {
            who: {
              investors: parts.flatMap(({ investors, isPast }) => (isPast ? [] : investors)),
              isPast: parts.every(({ isPast }) => isPast),
            },
            warnings: [
              ...parts.flatMap(nobodyTold),
              ...(await secondPersonWarnings(
                session,
                (
                  await activitiesOf(session, CAPITAL_ACCOUNTS, published.statements)
                ).map((activityId) => ({ activityId })),
              )),
            ],
          };
        }),
      );
      return answerReview({ ...review, step: 'publish', documents: documents.map(documentValue) });
    },
  }),
  reviewRemoval: intent({
    permission: 'funds/write',
    schema: documentsRemovalForm,
    run: ({ documents }, screen) => askRemoval(screen, documents),
  }),
  publishDocuments: intent({
    permission: 'funds/write',
    schema: publishForm,
    async run({ documents }, { db, params: { id = '' } }) {
      await told(db((session) => publish(session, documents)));
      return redirect(backTo(id));
    },
  }),
  removeDocuments: intent({
    permission: 'funds/write',
    schema: documentsRemovalForm,
    async run(form, screen) {
      try {
        await told(screen.db((session) => remove(session, form)));
      } catch (error) {
        const problem = isRefusal(error) ? error.flags?.reason : undefined;
        if (!problem) throw error;
        return askRemoval(screen, form.documents, problem);
      }
      return redirect(backTo(screen.params.id ?? ''));
    },
  }),
});
