import { redirect } from '@remix-run/node';
import {
  changeCapitalAccounts,
  changeReports,
  removeCapitalAccounts,
  removeReports,
} from '@tapeline/db/operations/capital/statements.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { intent } from '../../../http/screen.server.ts';
import { publishForm, removalForm } from './document-form.ts';

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

/** The intents of a list of statements and reports: publish or remove those that are chosen, all or none. */
export const documentIntents = (backTo: (id: string) => string) => ({
  publishDocuments: intent({
    permission: 'funds/write',
    schema: publishForm,
    async run({ documents }, { db, params: { id = '' } }) {
      const of = (wanted: 'statement' | 'report') =>
        documents.flatMap(({ kind, ...item }) => (kind === wanted ? [{ ...item, status: 'Active' as const }] : []));
      await told(
        db(async (session) => {
          await changeCapitalAccounts(session, of('statement'));
          await changeReports(session, of('report'));
        }),
      );
      return redirect(backTo(id));
    },
  }),
  removeDocuments: intent({
    permission: 'funds/write',
    schema: removalForm,
    async run({ documents, reason }, { db, params: { id = '' } }) {
      const of = (wanted: 'statement' | 'report') =>
        documents.flatMap((document) => (document.kind === wanted ? [document.id] : []));
      await told(
        db(async (session) => {
          await removeCapitalAccounts(session, { ids: of('statement'), reason });
          await removeReports(session, { ids: of('report'), reason });
        }),
      );
      return redirect(backTo(id));
    },
  }),
});
