import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { type ShouldRevalidateFunction, useLoaderData, useSearchParams } from '@remix-run/react';
import { addStatusesToMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { cancelRerun } from '../../../../commands/rerun.server.ts';
import {
  cancelBorrowingBases,
  deleteTape,
  discardErroredRows,
  startBorrowingBases,
} from '../../../../commands/tape-control.server.ts';
import { answerTape, retryTape } from '../../../../commands/upload.server.ts';
import { ErrorSummary } from '../../../../components/forms/screen-form.tsx';
import { useLastAnswer } from '../../../../components/forms/use-last-answer.ts';
import { HistoryPanel } from '../../../../components/history/changes-table.tsx';
import { AttachedFiles } from '../../../../components/page/attached-files.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { ProgressSteps } from '../../../../components/page/progress-steps.tsx';
import { Columns, Panel, Section } from '../../../../components/page/section.tsx';
import { type Tab, Tabs } from '../../../../components/page/tabs.tsx';
import { useLivePage } from '../../../../components/page/use-live-page.ts';
import { type ActionAnswer, act, intent, readScreen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { readMigration } from '../pool-views.server.ts';
import { StatusPoolPanel } from '../status-pool-panel.tsx';
import {
  addStatusesSchema,
  answerSchema,
  correctChoiceSchema,
  discardSchema,
  tapeActSchema,
} from '../tape-act.schema.ts';
import { readTapeHead, readTapeView } from '../tape-page.server.ts';
import { AssetsTab } from './assets-tab.tsx';
import { BasesTab } from './bases-tab.tsx';
import { ErroredTab } from './errored-tab.tsx';
import { RollsTab } from './rolls-tab.tsx';
import { StatusMigration } from './status-migration.tsx';
import { StrataTab } from './strata-tab.tsx';
import { TapeHeader } from './tape-header.tsx';
import { TapeNotices } from './tape-notices.tsx';
import { TapeQuestions } from './tape-questions.tsx';
import { VintagesTab } from './vintages-tab.tsx';

export const handle = named<typeof loader>((data) => [data.head.title]);

/** The grid loads its rows itself, so a change of the sort order affects nothing else on the page. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  const unsorted = ({ pathname, search }: URL): string => {
    const rest = new URLSearchParams(search);
    rest.delete('sort');
    return `${pathname}?${rest}`;
  };
  const isSorting = !formMethod && currentUrl.search !== nextUrl.search && unsorted(currentUrl) === unsorted(nextUrl);
  return isSorting ? false : defaultShouldRevalidate;
};

export const loader = readScreen('assets/read', async (screen) => {
  const { head, found } = await readTapeHead(screen);
  const view = await readTapeView(screen, found);
  if (view?.kind === 'goTo') throw redirect(paths.tape(head.id) + view.search);
  return { head, view, migration: view?.kind === 'assets' ? await readMigration(screen, found) : null };
});

export function action(args: ActionFunctionArgs) {
  const tapeId = args.params.id ?? '';
  const origin = originOf(args.request, args.context);
  return act({
    calculate: intent({
      permission: 'assets/write',
      schema: tapeActSchema,
      async run(_, { context, actor }) {
        await startBorrowingBases(context, actor, tapeId);
        return redirect(paths.tape(tapeId, { view: 'bases' }));
      },
    }),
    retry: intent({
      permission: 'assets/write',
      schema: tapeActSchema,
      async run(_, { context, actor }) {
        await retryTape(context, actor, tapeId, origin);
        return redirect(paths.tape(tapeId));
      },
    }),
    answer: intent({
      permission: 'assets/write',
      schema: answerSchema,
      async run({ answers }, { context, actor }) {
        await answerTape(context, actor, { tapeId, answers }, origin);
        return redirect(paths.tape(tapeId));
      },
    }),
    discard: intent({
      permission: 'assets/write',
      schema: discardSchema,
      async run({ rows, confirmed }, { context, actor }) {
        // This cannot be undone. Without JavaScript there is no confirmation dialog, so the page asks for confirmation.
        if (!confirmed) return redirect(paths.tape(tapeId, { view: 'errored', discard: String(rows) }));
        await discardErroredRows(context, actor, { tapeId, rows: rows === 'all' ? null : rows }, origin);
        return redirect(paths.tape(tapeId, { view: 'errored' }));
      },
    }),
    correct: intent({
      permission: 'assets/write',
      schema: correctChoiceSchema,
      run: async ({ rows }) => redirect(paths.correctRows(tapeId, rows)),
    }),
    addStatuses: intent({
      permission: 'assets/ETL/write',
      schema: addStatusesSchema,
      async run({ words }, { db }) {
        const meant = words.flatMap(({ word, means }) => (means ? [{ word, status: means }] : []));
        const mapping = await db(async (session) => {
          const tape = await getTape(session, tapeId);
          return addStatusesToMapping(session, { id: tape.mappingId, words: meant });
        });
        return redirect(paths.mapping(mapping.id, { tape: tapeId, saved: 'yes' }));
      },
    }),
    cancelBases: intent({
      permission: 'assets/write',
      schema: tapeActSchema,
      async run(_, { context, actor }) {
        await cancelBorrowingBases(context, actor, tapeId, origin);
        return redirect(paths.tape(tapeId, { view: 'bases' }));
      },
    }),
    cancelRerun: intent({
      permission: 'assets/write',
      schema: tapeActSchema,
      async run(_, { context, actor }) {
        await cancelRerun(context, actor, tapeId);
        return redirect(paths.tape(tapeId, { view: 'errored' }));
      },
    }),
    remove: intent({
      permission: 'assets/write',
      schema: tapeActSchema,
      async run({ confirmed }, { context, actor }) {
        if (!confirmed) return redirect(paths.tape(tapeId, { remove: 'ask' }));
        await deleteTape(context, actor, tapeId, origin);
        return redirect(paths.tapes({ removed: tapeId }));
      },
    }),
  })(args);
}

export default function TapePage() {
  const { head, view, migration } = useLoaderData<typeof loader>();
  const answer = useLastAnswer<ActionAnswer>();
  const { counts } = head;
  const isRead = (view?.kind === 'vintages' && view.read) || (view?.kind === 'rolls' && view.speedsRead);
  useLivePage(head.isInProgress || head.rerun !== null || head.basesInProgress || Boolean(isRead));
  // The page has only buttons and checkboxes, so all errors are shown at the top.
  const problems =
    answer?.done === false ? Object.values(answer.lastResult.error ?? {}).flatMap((texts) => texts ?? []) : [];
  // The assets filter is kept when the user switches to the strata and back.
  const filter = view?.kind === 'assets' || view?.kind === 'strata' ? (view.filter ?? undefined) : undefined;
  const shown = view?.kind === 'assets' ? view.bases.shown?.id : view?.kind === 'strata' ? view.borrowingBase : null;
  const borrowingBase = useSearchParams()[0].has('borrowingBase') ? (shown ?? undefined) : undefined;
  const tab = (label: string, name: string, count: number | null = null): Tab => ({
    label,
    count,
    to: paths.tape(head.id, {
      ...(name === 'assets' ? {} : { view: name }),
      ...(name === 'assets' || name === 'strata' ? { filter, borrowingBase } : {}),
    }),
    current: view?.kind === name,
  });
  return (
    <>
      <TapeHeader
        head={head}
        filter={view?.kind === 'assets' ? view.filter : null}
        borrowingBase={view?.kind === 'assets' ? (shown ?? undefined) : undefined}
      />
      {problems.length > 0 ? (
        <div className="mb-[18px]">
          <ErrorSummary formErrors={problems} problems={[]} />
        </div>
      ) : null}
      <TapeNotices head={head} />
      <TapeQuestions head={head} />
      <ProgressSteps steps={head.steps} label="Steps of the tape" />
      {head.documents.length > 0 ? (
        <Section title="Other documents" note={String(head.documents.length)}>
          <Panel>
            <AttachedFiles files={head.documents} address={(place) => paths.tapeDocument(head.id, place)} />
          </Panel>
        </Section>
      ) : null}
      {counts || view ? (
        <Tabs
          label="Parts of the tape"
          tabs={[
            ...(counts ? [tab('Assets', 'assets', counts.assets), tab('Errored', 'errored', counts.errored)] : []),
            ...(counts
              ? [tab('Roll rates', 'rolls'), tab('Vintages', 'vintages'), tab('Stratification', 'strata')]
              : []),
            ...(counts && head.may.seeBases ? [tab('Borrowing bases', 'bases', head.basesCount)] : []),
            ...(head.may.seeHistory ? [tab('History', 'history')] : []),
          ]}
        />
      ) : null}
      {head.pool && view?.kind === 'assets' ? (
        <Columns split={migration ? 'wide' : 'even'}>
          {migration ? <StatusMigration head={head} matrix={migration} /> : null}
          <StatusPoolPanel pool={head.pool} filterTo={(filter) => paths.tape(head.id, { filter, borrowingBase })} />
        </Columns>
      ) : null}
      {view?.kind === 'assets' ? <AssetsTab tapeId={head.id} view={view} /> : null}
      {view?.kind === 'errored' ? <ErroredTab head={head} view={view} /> : null}
      {view?.kind === 'rolls' ? <RollsTab head={head} view={view} /> : null}
      {view?.kind === 'vintages' ? <VintagesTab head={head} view={view} /> : null}
      {view?.kind === 'strata' ? <StrataTab head={head} view={view} /> : null}
      {view?.kind === 'bases' ? <BasesTab head={head} view={view} /> : null}
      {view?.kind === 'history' ? <HistoryPanel several history={view.history} /> : null}
    </>
  );
}
