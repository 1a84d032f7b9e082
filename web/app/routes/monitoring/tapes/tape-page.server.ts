import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { companyNamesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { fileIdOfTape } from '@tapeline/db/operations/files/readable-files.ts';
import { findJobFailure } from '@tapeline/db/operations/jobs/job-failures.ts';
import { readDocument } from '@tapeline/db/operations/listing/list-documents.ts';
import { MAPPINGS } from '@tapeline/db/operations/mappings/mappings.ts';
import { isCalculating } from '@tapeline/db/operations/tapes/calculations.ts';
import { isRerunInProgress } from '@tapeline/db/operations/tapes/generations.ts';
import { listProposals } from '@tapeline/db/operations/tapes/proposals.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { LOAN_TAPES, previousPublishedTape, tapesWithUnstableIds } from '@tapeline/db/operations/tapes/tapes.ts';
import { noteNamesOf } from '@tapeline/db/operations/transactions/note-names.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { LIST_LIMITS, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { calculationState } from '@tapeline/domain/tapes/calculation-state.ts';
import { timeLeftMs } from '@tapeline/domain/tapes/progress.ts';
import type { TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import { filterFields, unreadField } from '@tapeline/domain/tapes/target-schema.ts';
import { visibleCalculations } from '@tapeline/domain/tapes/visible-calculations.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { assetListCatalog, heldFields, type TapeSource } from '@tapeline/lake/asset-relation.ts';
import { assetTotals } from '@tapeline/lake/asset-totals.ts';
import { type AssetPage, listAssets } from '@tapeline/lake/assets.ts';
import { assetStatistics } from '@tapeline/lake/statistics.ts';
import type { ActivityName } from '@tapeline/workflows/all-activities.ts';
import { workflowIdOf } from '@tapeline/workflows/queues.ts';
import { assetById, type ExplainedAsset } from '../../../commands/asset-list.server.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { proposes } from '../../../commands/proposals.server.ts';
import { mayRemap } from '../../../commands/remap.server.ts';
import { tapeProgress, waitsForWorker } from '../../../commands/tape-control.server.ts';
import { sourceOf } from '../../../commands/tape-sources.server.ts';
import { warningsOf } from '../../../commands/tape-warnings.ts';
import { joinDraft, viewFilter } from '../../../components/filters/filter-view.ts';
import type { GridRow } from '../../../components/grid/arrow-page.ts';
import { FIRST_ROWS, readSort } from '../../../components/grid/grid-columns.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { assetColumns, totalsOf } from './asset-columns.ts';
import { correctionsOfRow } from './corrections-of-row.server.ts';
import { readErroredView } from './errored-view.server.ts';
import { readForwardView } from './forward-view.server.ts';
import { baseChoice, pastOf } from './past-base.ts';
import { statusPool } from './pool-by-status.ts';
import { readMigrationView, readRollsView, readStrataView, readVintagesView, shownBase } from './pool-views.server.ts';
import { tapeSteps } from './tape-steps.ts';
import { tapeState } from './tape-words.ts';

const TAPE_VIEWS = [
  'assets',
  'errored',
  'forward',
  'migration',
  'rolls',
  'vintages',
  'strata',
  'bases',
  'history',
] as const;

type TapeView = (typeof TAPE_VIEWS)[number];

const viewOf = (url: URL): TapeView => TAPE_VIEWS.find((view) => view === url.searchParams.get('view')) ?? 'assets';

/** Steps after publishing whose failures belong to no note. The page shows them until the next borrowing base. */
const AFTER_PUBLISHING: readonly ActivityName[] = ['rerunFollowUp', 'notesToCompute'];

/** Why what follows from the published rows last failed, and when. The actor sees the tape. */
function failureAfterPublishing({ store }: Screen['context'], { id, generationId }: LoanTape) {
  if (!generationId) return null;
  const jobs = [WORKFLOW_IDS.tape(id), WORKFLOW_IDS.rerun(id, generationId), WORKFLOW_IDS.borrowingBases(id)];
  return store.read(SYSTEM, (session) => findJobFailure(session, jobs, AFTER_PUBLISHING));
}

/** Whether the address selects the list of assets, which a tape has once it is published. */
export const showsAssets = ({ url }: Screen): boolean => viewOf(url) === 'assets';

/** The tape of the address and what its page shows of it, in two round trips. @throws Refusal notFound */
async function findTape({ actor, context, params }: Screen) {
  const tape = await context.store.read(actor, (session) => readDocument(session, LOAN_TAPES, params.id ?? ''));
  const [failure, found] = await Promise.all([
    failureAfterPublishing(context, tape),
    context.store.read(actor, async (session) => {
      const [bases, mapping, unstable, earlier, proposals, names, originalFileId] = await Promise.all([
        can(actor, 'borrowingBase/read')
          ? listBorrowingBases(session, { filter: { loanTape: tape.id }, limit: 200 })
          : null,
        readDocument(session, MAPPINGS, tape.mappingId).catch(nullIfRefused),
        tapesWithUnstableIds(session, [tape]),
        tape.generationId
          ? previousPublishedTape(session, {
              companyId: tape.companyId,
              beforeCutOffDate: tape.cutOffDate,
              hasStableIds: true,
            })
          : null,
        listProposals(session, { filter: { loanTapeId: tape.id, status: 'Proposed' }, limit: 1 }),
        companyNamesOf(session, [tape.companyId]),
        fileIdOfTape(session, tape.attachment.key),
      ]);
      const hasUnstableIds = unstable.has(tape.id);
      return {
        bases: bases?.documents ?? [],
        mapping,
        hasUnstableIds,
        previous: hasUnstableIds ? null : earlier,
        openProposals: proposals.total,
        company: { id: tape.companyId, name: names.get(tape.companyId) ?? '' },
        originalFileId,
      };
    }),
  ]);
  const isOver = found.bases.some(({ metadata }) => failure && Date.parse(metadata.iat) > Date.parse(failure.lastAt));
  return { tape, ...found, followUpFailure: isOver ? null : (failure?.reason ?? null) };
}

/** Everything above the tabs: what the tape is, its progress, and the available actions. @throws Refusal notFound */
export async function readTapeHead(screen: Screen) {
  const { actor, context } = screen;
  const found = await findTape(screen);
  const { tape } = found;
  const { bases, mapping, company, openProposals } = found;
  const progress = await tapeProgress(context, tape);
  const now = Date.now();
  const state = tapeState(tape);
  const isRerun = isRerunInProgress(tape);
  const mayWrite = can(actor, 'assets/write');
  // Only the manager changes published data. A borrower proposes corrections.
  const isBorrower = proposes(actor);
  const isPublished = tape.generationId !== null && tape.generationId !== undefined;
  // Temporal's own UI has no tenant isolation, so it is for operators of the product and not for borrowers.
  const uiUrl = isBorrower ? null : context.environment.temporalUiUrl;
  return {
    found,
    head: {
      id: tape.id,
      title: tape.attachment.name,
      state,
      company,
      cutOffDate: tape.cutOffDate,
      mapping: mapping && can(actor, 'assets/ETL/read') ? { id: mapping.id, version: tape.mappingVersion } : null,
      mappingVersion: tape.mappingVersion,
      sheet: tape.sheetName ?? mapping?.loanTapeSheetName ?? null,
      sizeBytes: tape.attachment.size,
      originalFileId: found.originalFileId,
      documents: tape.otherAttachments.map(({ name, size }) => ({ name, size })),
      uploadedBy: makerOf(tape.metadata),
      uploadedAt: tape.metadata.iat,
      mainCurrency: tape.mainCurrency,
      failure: tape.failure ?? (progress?.stage === 'failed' ? progress.failure : null),
      notice: progress?.notice ?? null,
      counts: tape.counts ?? null,
      /** Its ids are row numbers, which say nothing on another tape. */
      hasUnstableIds: found.hasUnstableIds,
      warnings: warningsOf(tape),
      questions: tape.questions,
      steps: tapeSteps(progress, {
        now,
        assets: tape.counts?.assets ?? null,
        borrowingBases: bases.length,
        failedBases: visibleCalculations(actor, tape.borrowingBaseStatuses).filter(
          (entry) => calculationState(entry) === 'Failed',
        ).length,
        calculateBB: tape.calculateBB && state === 'Processing',
      }),
      percent: state === 'Processing' && !isRerun ? (progress?.percent ?? 0) : null,
      timeLeftMs: state === 'Processing' && !isRerun ? timeLeftMs(progress, now) : null,
      isInProgress: state === 'Processing' && !isRerun,
      waitsForWorker: state === 'Processing' && (await waitsForWorker(context)),
      /** Rows that are being re-run: corrected ones, or all with another mapping version. Null if there are none. */
      rerun: isRerun
        ? {
            rows: progress?.rerun?.rows ?? null,
            by: progress?.rerun?.by ?? null,
            mappingVersion: progress?.rerun?.mappingVersion ?? null,
          }
        : null,
      basesInProgress: isCalculating(tape),
      basesFailed: visibleCalculations(actor, tape.borrowingBaseStatuses).flatMap((entry) =>
        entry.failure ? [{ note: entry.noteTitle, failure: entry.failure }] : [],
      ),
      /** Why what follows from the published rows was not done; null if it was, or is being done. */
      followUpFailure: isRerun || isCalculating(tape) ? null : found.followUpFailure,
      basesCount: bases.length,
      workflowUrl:
        uiUrl && tape.workflowId
          ? `${uiUrl}/namespaces/${encodeURIComponent(context.environment.temporalNamespace)}/workflows/${encodeURIComponent(workflowIdOf(context.environment.instanceName, tape.workflowId))}`
          : null,
      may: {
        calculate: mayWrite && isPublished && !isRerun && !isBorrower,
        // A tape that is already published while its borrowing bases are calculated has nothing left to cancel.
        cancel: mayWrite && state === 'Processing' && !isPublished,
        cancelRerun: mayWrite && isRerun && !isBorrower,
        cancelBases: mayWrite && !isBorrower && isCalculating(tape),
        retry: mayWrite && state === 'Failed',
        answer: mayWrite && state === 'Question',
        remove: mayWrite && state !== 'Processing' && (!isBorrower || !isPublished),
        correct: mayWrite && isPublished && state !== 'Processing',
        remap: mayRemap(actor, tape),
        decide: mayWrite && !isBorrower,
        discard: mayWrite && isPublished && !isBorrower && !isRerun,
        seeBases: can(actor, 'borrowingBase/read'),
        seeHistory: can(actor, 'history/read'),
      },
      /** Corrections that are waiting for the manager. */
      openProposals,
    },
  };
}

type Found = Awaited<ReturnType<typeof readTapeHead>>['found'];

/**
 * Fields that are useful in a condition here: those that the tape contains, what could not be read of them, and the borrowing
 * base's results.
 */
function fieldsToOffer(sources: readonly TapeSource[], warnings: TapeWarnings | undefined): Field[] {
  const most = 40;
  const unread = new Set(warnings?.fields.flatMap(({ path, isUnread }) => (isUnread ? [path] : [])));
  const held = heldFields(sources).flatMap((field) => [
    ...filterFields(field),
    ...(unread.has(field.path) ? [unreadField(field)] : []),
  ]);
  const results = assetListCatalog(sources).fields.filter((field) => field.path.startsWith('borrowingBase.'));
  return [...held, ...results].map(({ values, ...field }) =>
    values && values.length <= most ? { ...field, values } : field,
  );
}

function rowsOf(page: AssetPage, paths: readonly string[]): GridRow[] {
  return page.ids.map((id, row) => ({
    id,
    ...Object.fromEntries(paths.map((path) => [path, page.columns.get(path)?.[row] ?? null])),
  }));
}

/**
 * The assets tab: the filter, the first rows, and totals of the filtered assets. `goTo` is set if the filter form was
 * submitted.
 */
export async function readAssetsView(screen: Screen) {
  const { context, url } = screen;
  const { published, isUnknown } = await screen.db((session) =>
    publishedWithBase(session, screen.params.id ?? '', shownBase(url)),
  );
  const [shown] = published;
  if (!shown) return null;
  const { tape } = shown;
  const sources = await Promise.all(published.map((one) => sourceOf(context, one)));
  const catalog = assetListCatalog(sources);
  const joined = joinDraft(url.searchParams, catalog);
  if (joined && 'goTo' in joined) return { kind: 'goTo' as const, search: `?${joined.goTo}` };
  const view = viewFilter(url.searchParams.get('filter'), catalog);
  // The tape's own statistics are those of its current assets.
  const statistics = shown.isEarlier
    ? await assetStatistics(context.lake, sources, parseFilter(undefined, catalog))
    : tape.statistics;
  const pool = statistics ? statusPool(statistics) : null;
  const currencies = pool?.currencies ?? [];
  const hasBorrowingBase = sources.some(({ borrowingBase }) => borrowingBase !== null);
  const columns = assetColumns(heldFields(sources), currencies, hasBorrowingBase);
  const sort = readSort(url.searchParams.get('sort'), columns);
  const query = parseListQuery({ sort, skip: skipOf(url.searchParams), limit: FIRST_ROWS }, catalog);
  const [page, totals] = await Promise.all([
    listAssets(context.lake, sources, { ...query, filter: view.filter }),
    assetTotals(context.lake, sources, view.filter),
  ]);
  const assetId = url.searchParams.get('asset');
  const base = shown.borrowingBase;
  const asset = assetId ? await assetOf(screen, tape.id, assetId, base?.id) : null;
  return {
    kind: 'assets' as const,
    bases: {
      shown: base && baseChoice(base),
      choices: shown.borrowingBases.map(baseChoice),
      /** The address names a borrowing base that is not of the tape, or whose results by asset are not stored. */
      isUnknown,
    },
    past: pastOf(shown),
    columns,
    rows: rowsOf(
      page,
      columns.map((column) => column.path),
    ),
    total: page.total,
    all: (shown.isEarlier ? pool?.count : tape.counts?.assets) ?? page.total,
    totals: totalsOf(totals),
    filter: view.text,
    chips: view.chips,
    problem: view.problem,
    draft: joined && 'draft' in joined ? joined.draft : null,
    fields: fieldsToOffer(sources, statistics?.warnings),
    asset,
    corrections: asset ? await correctionsOfRow(screen, shown.manifest, asset.rowNumber) : [],
  };
}

/** The published tape with the requested borrowing base. If the tape does not have it, with that of its first note. */
async function publishedWithBase(session: Session, tapeId: string, borrowingBase: string | undefined) {
  const tapeIds = [tapeId].filter(isId);
  const asked = await visiblePublishedTapes(session, { tapeIds, ...(borrowingBase ? { borrowingBase } : {}) });
  const isUnknown = borrowingBase !== undefined && !asked.some((one) => one.borrowingBase);
  return { published: isUnknown ? await visiblePublishedTapes(session, { tapeIds }) : asked, isUnknown };
}

/** An asset of this tape. Null for any other id, so that a stale address shows the list. */
async function assetOf(
  screen: Screen,
  tapeId: string,
  id: string,
  borrowingBase: string | undefined,
): Promise<ExplainedAsset | null> {
  const document = await assetById(screen.context, screen.actor, id, { borrowingBase }).catch(nullIfRefused);
  return document?.metadata.loanTapeId === tapeId ? document : null;
}

/** The borrowing bases calculated from the tape, with the names of their notes. */
export async function readBasesView(screen: Screen, { tape, bases }: Found) {
  const transactionIds = can(screen.actor, 'transactions/read') ? bases.map(({ transactionId }) => transactionId) : [];
  const notes = await screen.db((session) => noteNamesOf(session, transactionIds));
  const nameOf = (noteId: string) => {
    const note = notes.get(noteId);
    return note ? `${note.transactionTitle}, ${note.noteTitle}` : 'Note';
  };
  return {
    kind: 'bases' as const,
    rows: bases.map((base) => {
      const { totals } = base.result;
      return {
        id: base.id,
        note: nameOf(base.noteId),
        currency: base.currency,
        netBB: base.netBB,
        firstBB: base.firstBB,
        availability: totals.availability,
        balance: totals.balance,
        /** Calculated before the tape's current publication. */
        isStale: base.generationId !== tape.generationId,
      };
    }),
  };
}

/** The history of the tape and of the corrections proposed for it; null for actors who cannot read the history. */
export async function readHistoryView(screen: Screen, { tape }: Found) {
  const history = await screen.db(async (session) => {
    const { documents } = await listProposals(session, {
      filter: { loanTapeId: tape.id },
      sort: { code: -1 },
      limit: LIST_LIMITS.limit,
    });
    const proposals = { resource: 'correctionProposals', ids: documents.map(({ id }) => id) };
    return documentHistory(session, [{ resource: 'loanTapes', ids: [tape.id] }, proposals], screen.url.searchParams);
  });
  return history && { kind: 'history' as const, history };
}

/** The tab that the address selects. */
export function readTapeView(screen: Screen, found: Found) {
  if (!found.tape.generationId) {
    return viewOf(screen.url) === 'history' ? readHistoryView(screen, found) : null;
  }
  switch (viewOf(screen.url)) {
    case 'errored':
      return readErroredView(screen, found);
    case 'forward':
      return readForwardView(screen, found.tape.id);
    case 'migration':
      return readMigrationView(screen, found.tape);
    case 'rolls':
      return readRollsView(screen, found.tape.id);
    case 'vintages':
      return readVintagesView(screen, found.tape.id);
    case 'strata':
      return readStrataView(screen, found.tape.id);
    case 'bases':
      return readBasesView(screen, found);
    case 'history':
      return readHistoryView(screen, found);
    default:
      return readAssetsView(screen);
  }
}
