import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { z } from 'zod';
import { documentHistory } from '../../../commands/history.server.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { idsOf, MAX_RECORDED, recordedRemovalForm } from './recorded-form.ts';
import type { RecordedPage, RecordedRow } from './recorded-page.tsx';

interface Stored {
  id: string;
  version: number;
  status: string;
  fundId: string;
  Class?: string | null | undefined;
  cutOffDate: string;
  investor: { title: string } | null;
}

type List<Document extends Stored> = (session: Session, query: object) => Promise<{ documents: Document[] }>;

/** The documents whose ids are in the address, in its order: those of the fund of the first one. */
async function chosen<Document extends Stored>(session: Session, url: URL, list: List<Document>): Promise<Document[]> {
  const ids = idsOf(url.searchParams);
  if (ids.length === 0) return [];
  const { documents } = await list(session, { filter: { id: { in: ids } }, limit: MAX_RECORDED });
  const byId = new Map(documents.map((document) => [document.id, document]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  return found.filter(({ fundId }) => fundId === found[0]?.fundId);
}

/** The loader of a page that changes NAVs or write-offs. */
export const readRecorded = <Document extends Stored>(
  resource: 'navs' | 'writeOffs',
  list: List<Document>,
  amountsOf: (document: Document) => Record<string, DecimalText>,
): ((args: LoaderFunctionArgs) => Promise<RecordedPage>) =>
  readScreen('funds/write', ({ db, url }) =>
    db(async (session) => {
      const documents = await chosen(session, url, list);
      const [first] = documents;
      if (!first) return { fund: { id: '', title: '', currency: '' }, rows: [], history: null };
      const { id, title, currency, classes } = await getFund(session, first.fundId);
      const rows = documents.map(
        (document): RecordedRow => ({
          ...pick(document, 'id', 'version', 'status', 'cutOffDate'),
          investor: document.investor?.title ?? null,
          className: classNameOf(classes, document.Class),
          amounts: amountsOf(document),
        }),
      );
      const history = await documentHistory(session, [{ resource, ids: rows.map((row) => row.id) }], url.searchParams);
      return { fund: { id, title, currency }, rows, history };
    }),
  );

/** The action of a page that changes NAVs or write-offs. @param view the tab of the fund that lists them */
export const actOnRecorded = <Document extends Stored, Schema extends z.ZodType<Record<string, unknown>>>({
  view,
  list,
  schema,
  change,
  remove,
}: {
  view: string;
  list: List<Document>;
  schema: Schema;
  change: (session: Session, form: z.output<Schema>, currency: string) => Promise<unknown>;
  remove: (session: Session, command: { ids: string[]; reason: string | null }) => Promise<unknown>;
}) =>
  act({
    change: intent({
      permission: 'funds/write',
      schema,
      async run(form, { db, url }) {
        const fund = await db(async (session) => {
          const [first] = await chosen(session, url, list);
          const { id, currency } = await getFund(session, first?.fundId ?? '');
          await change(session, form, currency);
          return id;
        });
        return redirect(paths.fund(fund, { view }));
      },
    }),
    remove: intent({
      permission: 'funds/write',
      schema: recordedRemovalForm,
      async run({ ids, reason }, { db, url }) {
        const fund = await db(async (session) => {
          const [first] = await chosen(session, url, list);
          const { id } = await getFund(session, first?.fundId ?? '');
          await remove(session, { ids, reason: reason ?? null });
          return id;
        });
        return redirect(paths.fund(fund, { view }));
      },
    }),
  });
