import { redirect } from '@remix-run/node';
import { type ShouldRevalidateFunction, useLoaderData, useSearchParams } from '@remix-run/react';
import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import { addStatusesToMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { z } from 'zod';
import { cancelRerun } from '../../../../commands/rerun.server.ts';
import {
  cancelBorrowingBases,
  deleteTape,
  discardErroredRows,
  startBorrowingBases,
} from '../../../../commands/tape-control.server.ts';
import { answerTape, retryTape } from '../../../../commands/upload.server.ts';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { useLastAnswer } from '../../../../components/forms/use-last-answer.ts';
import { HistoryPanel } from '../../../../components/history/action-list.tsx';
import { AttachedFiles } from '../../../../components/page/attached-files.tsx';
import { listTools } from '../../../../components/page/list-tools.ts';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { DoneSteps, ProgressSteps } from '../../../../components/page/progress-steps.tsx';
import { PanelSection } from '../../../../components/page/section.tsx';
import { SkipLink } from '../../../../components/page/skip-link.tsx';
import { type Tab, Tabs } from '../../../../components/page/tabs.tsx';
import { useLivePage } from '../../../../components/page/use-live-page.ts';
import { type ActionAnswer, act, intent, readScreen, type Screen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import {
  addStatusesSchema,
  answerSchema,
  correctChoiceSchema,
  discardSchema,
  tapeActSchema,
} from '../tape-act.schema.ts';
import { readAssetsView, readTapeHead, readTapeView, showsAssets } from '../tape-page.server.ts';
import { readTapeResult } from '../tape-result.server.ts';
import type { TapeStep } from '../tape-steps.ts';
import { PastNotice } from './past-notice.tsx';
import { ResultCard } from './result-card.tsx';
import { TapeHeader } from './tape-header.tsx';
import { TapeNotices, TapeRemoval } from './tape-notices.tsx';
import { TapeQuestions } from './tape-questions.tsx';

const ASSETS = loadedPart(() => import('./assets-tab.tsx').then((part) => part.AssetsTab));
const BASES = loadedPart(() => import('./bases-tab.tsx').then((part) => part.BasesTab));
const ERRORED = loadedPart(() => import('./errored-tab.tsx').then((part) => part.ErroredTab));
const FORWARD = loadedPart(() => import('./forward-tab.tsx').then((part) => part.ForwardTab));
const MIGRATION = loadedPart(() => import('./migration-tab.tsx').then((part) => part.MigrationTab));
const ROLLS = loadedPart(() => import('./rolls-tab.tsx').then((part) => part.RollsTab));
const STRATA = loadedPart(() => import('./strata-tab.tsx').then((part) => part.StrataTab));
const VINTAGES = loadedPart(() => import('./vintages-tab.tsx').then((part) => part.VintagesTab));

export const handle = named<typeof loader>(({ head, view }) =>
  view?.kind === 'assets' && view.asset
    ? [[head.title, paths.tape(head.id)], String(view.asset.targetData.assetId ?? view.asset.id)]
    : [head.title],
);

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
  const above = readTapeHead(screen);
  // The assets need nothing of what is above them.
  const readView = async () =>
    showsAssets(screen) ? readAssetsView(screen) : readTapeView(screen, (await above).found);
  const readResult = async () => readTapeResult(screen, (await above).found);
  const [{ head }, result, view] = await Promise.all([above, readResult(), readView()]);
  if (view?.kind === 'goTo') throw redirect(paths.tape(head.id) + view.search);
  // Figures of the current assets would contradict the earlier ones below them.
  const isEarlier = (view?.kind === 'assets' || view?.kind === 'strata') && view.past?.isEarlier === true;
  return {
    head: isEarlier ? { ...head, warnings: null } : head,
    view,
    result: isEarlier ? null : result,
  };
});

/**
 * A button that acts on the tape of the address.
 * @param run returns the search part of the tape's page that follows, or another answer
 */
const onTape = <Schema extends z.ZodType<Record<string, unknown>>>(
  schema: Schema,
  run: (
    form: z.output<Schema>,
    tape: Pick<Screen, 'context' | 'actor' | 'db'> & { id: string; origin: CallOrigin },
  ) => Promise<Parameters<typeof paths.tape>[1] | Response>,
  permission: PermissionKey = 'assets/write',
) =>
  intent({
    permission,
    schema,
    async run(form, { context, actor, db, request, params: { id = '' } }) {
      const next = await run(form, { context, actor, db, id, origin: originOf(request, context) });
      return next instanceof Response ? next : redirect(paths.tape(id, next));
    },
  });

export const action = act({
  calculate: onTape(tapeActSchema, async (_, { context, actor, id }) => {
    await startBorrowingBases(context, actor, id);
    return { view: 'bases' };
  }),
  retry: onTape(tapeActSchema, async (_, { context, actor, id, origin }) => {
    await retryTape(context, actor, id, origin);
    return {};
  }),
  answer: onTape(answerSchema, async ({ answers }, { context, actor, id, origin }) => {
    await answerTape(context, actor, { tapeId: id, answers }, origin);
    return {};
  }),
  discard: onTape(discardSchema, async ({ rows, confirmed }, { context, actor, id, origin }) => {
    // This cannot be undone. Without JavaScript there is no confirmation dialog, so the page asks for confirmation.
    if (!confirmed) return { view: 'errored', discard: String(rows) };
    await discardErroredRows(context, actor, { tapeId: id, rows: rows === 'all' ? null : rows }, origin);
    return { view: 'errored' };
  }),
  correct: onTape(correctChoiceSchema, async ({ rows }, { id }) => redirect(paths.correctRows(id, rows))),
  addStatuses: onTape(
    addStatusesSchema,
    async ({ words }, { db, id }) => {
      const meant = words.flatMap(({ word, means }) => (means ? [{ word, status: means }] : []));
      const mapping = await db(async (session) => {
        const tape = await getTape(session, id);
        return addStatusesToMapping(session, { id: tape.mappingId, words: meant });
      });
      return redirect(paths.mapping(mapping.id, { tape: id, saved: 'yes' }));
    },
    'assets/ETL/write',
  ),
  cancelBases: onTape(tapeActSchema, async (_, { context, actor, id, origin }) => {
    await cancelBorrowingBases(context, actor, id, origin);
    return { view: 'bases' };
  }),
  cancelRerun: onTape(tapeActSchema, async (_, { context, actor, id }) => {
    await cancelRerun(context, actor, id);
    return { view: 'errored' };
  }),
  remove: onTape(tapeActSchema, async ({ confirmed }, { context, actor, id, origin }) => {
    if (!confirmed) return { remove: 'ask' };
    await deleteTape(context, actor, id, origin);
    return redirect(paths.tapes({ removed: id }));
  }),
});

export default function TapePage() {
  const { head, view, result } = useLoaderData<typeof loader>();
  const answer = useLastAnswer<ActionAnswer>();
  const { counts } = head;
  const isRead = (view?.kind === 'vintages' && view.read) || (view?.kind === 'rolls' && view.speedsRead);
  const isBusy = head.isInProgress || head.rerun !== null || head.basesInProgress;
  useLivePage(isBusy || Boolean(isRead));
  // The assets filter is kept when the user switches to the strata and back.
  const filter = view?.kind === 'assets' || view?.kind === 'strata' ? (view.filter ?? undefined) : undefined;
  const shown = view?.kind === 'assets' ? view.bases.shown?.id : view?.kind === 'strata' ? view.borrowingBase : null;
  const borrowingBase = useSearchParams()[0].has('borrowingBase') ? (shown ?? undefined) : undefined;
  const past = view?.kind === 'assets' || view?.kind === 'strata' ? view.past : null;
  // The number of earlier assets is known where they are listed.
  const assetCount = view?.kind === 'assets' ? view.all : past?.isEarlier ? null : (counts?.assets ?? null);
  const tab = (label: string, name: string, count: number | null = null): Tab => ({
    label,
    count,
    to: paths.tape(head.id, {
      ...(name === 'assets' ? {} : { view: name }),
      ...(name === 'assets' || name === 'strata' ? { filter, borrowingBase } : {}),
    }),
    current: view?.kind === name,
  });
  const card = result ? <ResultCard id={head.id} result={result} maySeeBases={head.may.seeBases} /> : null;
  return (
    <>
      {view?.kind === 'assets' ? <SkipLink to={listTools('tape-assets')}>Skip to the list of assets</SkipLink> : null}
      <TapeHeader head={head} />
      <ActionProblems answer={answer} />
      <TapeRemoval head={head} />
      {isBusy ? null : card}
      <TapeNotices head={head} />
      {past && view ? <PastNotice tapeId={head.id} view={view.kind} past={past} /> : null}
      <TapeQuestions head={head} />
      {isBusy ? card : null}
      {head.questions.length > 0 ? null : (
        <Steps steps={head.steps} isDone={(result !== null || past?.isEarlier === true) && !isBusy} />
      )}
      {head.documents.length > 0 ? (
        <PanelSection title="Other documents" note={String(head.documents.length)}>
          <AttachedFiles files={head.documents} address={(index) => paths.tapeDocument(head.id, index)} />
        </PanelSection>
      ) : null}
      {counts || view ? (
        <Tabs
          label="Parts of the tape"
          tabs={[
            ...(counts ? [tab('Assets', 'assets', assetCount), tab('Errors', 'errored', counts.errored)] : []),
            ...(counts
              ? [
                  tab('Roll-forward', 'forward'),
                  tab('Status migration', 'migration'),
                  tab('Roll rates', 'rolls'),
                  tab('Vintages', 'vintages'),
                  tab('Stratification', 'strata'),
                ]
              : []),
            ...(counts && head.may.seeBases ? [tab('Borrowing bases', 'bases', head.basesCount)] : []),
            ...(head.may.seeHistory ? [tab('History', 'history')] : []),
          ]}
        />
      ) : null}
      {view?.kind === 'assets' ? <ShownPart of={ASSETS} tapeId={head.id} view={view} /> : null}
      {view?.kind === 'errored' ? <ShownPart of={ERRORED} head={head} view={view} /> : null}
      {view?.kind === 'forward' ? <ShownPart of={FORWARD} head={head} view={view} /> : null}
      {view?.kind === 'migration' ? <ShownPart of={MIGRATION} head={head} view={view} /> : null}
      {view?.kind === 'rolls' ? <ShownPart of={ROLLS} head={head} view={view} /> : null}
      {view?.kind === 'vintages' ? <ShownPart of={VINTAGES} head={head} view={view} /> : null}
      {view?.kind === 'strata' ? <ShownPart of={STRATA} head={head} view={view} /> : null}
      {view?.kind === 'bases' ? <ShownPart of={BASES} head={head} view={view} /> : null}
      {view?.kind === 'history' ? <HistoryPanel history={view.history} /> : null}
    </>
  );
}

const Steps = ({ steps, isDone }: { steps: readonly TapeStep[]; isDone: boolean }) =>
  isDone ? (
    <DoneSteps steps={steps} label="Steps of the tape" />
  ) : (
    <ProgressSteps steps={steps} label="Steps of the tape" />
  );
