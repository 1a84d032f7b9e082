import type { AssetDocument } from '@tapeline/db/lake/asset-document.ts';
import { groupAssets } from '@tapeline/db/lake/asset-groups.ts';
import { type AssetPage, assetListCatalog, heldFields, listAssets, type TapeSource } from '@tapeline/db/lake/assets.ts';
import { listBorrowingBases } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { historyOf } from '@tapeline/db/operations/history/history.ts';
import { getMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { getCompany } from '@tapeline/db/operations/people/people.ts';
import { isRerunInHand } from '@tapeline/db/operations/tapes/rerun-errored.ts';
import { getTape, previousPublishedTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { filterFields } from '@tapeline/domain/tapes/target-schema.ts';
import type { GridRow } from '../components/grid/arrow-page.ts';
import { FIRST_ROWS, readSort } from '../components/grid/grid-columns.ts';
import { joinDraft, viewFilter } from '../filters/filter-view.ts';
import type { Screen } from '../screen.server.ts';
import { assetColumns } from './asset-columns.ts';
import { assetById } from './asset-list.server.ts';
import { correctionsOfRow } from './corrections-of-row.server.ts';
import { readErroredView } from './errored-view.server.ts';
import { statusPool } from './pool-by-status.ts';
import { readRollsView, readStrataView, readVintagesView } from './pool-views.server.ts';
import { tapeProgress } from './tape-control.server.ts';
import { tellTapeChange } from './tape-history.ts';
import { tapeSources } from './tape-sources.server.ts';
import { tapeSteps, timeLeftMs } from './tape-steps.ts';
import { makerOf, tapeState } from './tape-words.ts';

export const TAPE_VIEWS = ['assets', 'errored', 'rolls', 'vintages', 'strata', 'bases', 'history'] as const;
export type TapeView = (typeof TAPE_VIEWS)[number];

const viewOf = (url: URL): TapeView => TAPE_VIEWS.find((view) => view === url.searchParams.get('view')) ?? 'assets';
const skipOf = (url: URL): number => {
  const skip = Number(url.searchParams.get('skip') ?? 0);
  return Number.isSafeInteger(skip) && skip > 0 ? skip : 0;
};

/** Everything above the tabs: what the tape is, how far it is, what may be done with it. */
export async function readTapeHead(screen: Screen) {
  const { actor, context, db } = screen;
  const found = await db(async (session) => {
    const tape = await getTape(session, screen.params.id ?? '');
    const bases = can(actor, 'borrowingBase/read')
      ? (await listBorrowingBases(session, { filter: { loanTape: tape.id }, limit: 200 })).documents
      : [];
    const mapping = await getMapping(session, tape.mappingId).catch((error) => {
      if (isRefusal(error)) return null;
      throw error;
    });
    const previous = tape.generationId
      ? await previousPublishedTape(session, { companyId: tape.companyId, beforeCutOffDate: tape.cutOffDate })
      : null;
    return { tape, bases, mapping, previous, company: await getCompany(session, tape.companyId) };
  });
  const { tape, bases, mapping, previous, company } = found;
  const progress = await tapeProgress(context, tape);
  const now = Date.now();
  const state = tapeState(tape);
  const isRerun = isRerunInHand(tape);
  const mayWrite = can(actor, 'assets/write');
  const isPublished = tape.generationId !== null && tape.generationId !== undefined;
  // Temporal's own screens know no tenants: they are for those who run the product, not for borrowers.
  const uiUrl = actor.type === 'company' ? null : context.environment.temporalUiUrl;
  return {
    found,
    head: {
      id: tape.id,
      title: tape.attachment.name,
      state,
      company: { id: company.id, name: company.entity.name },
      cutOffDate: tape.cutOffDate,
      mapping: mapping && can(actor, 'assets/ETL/read') ? { id: mapping.id, version: tape.mappingVersion } : null,
      mappingVersion: tape.mappingVersion,
      sheet: tape.sheetName ?? mapping?.loanTapeSheetName ?? null,
      sizeBytes: tape.attachment.size,
      uploadedBy: makerOf(tape.metadata),
      uploadedAt: tape.metadata.iat,
      mainCurrency: tape.mainCurrency,
      failure: tape.failure ?? (progress?.stage === 'failed' ? progress.failure : null),
      notice: progress?.notice ?? null,
      counts: tape.counts ?? null,
      steps: tapeSteps(progress, {
        now,
        assets: tape.counts?.assets ?? null,
        borrowingBases: bases.length,
        calculateBB: tape.calculateBB && state === 'Processing',
      }),
      percent: state === 'Processing' && !isRerun ? (progress?.percent ?? 0) : null,
      timeLeftMs: state === 'Processing' && !isRerun ? timeLeftMs(progress, now) : null,
      isInWork: state === 'Processing' && !isRerun,
      /** Corrected rows that are being run again; null where none are. */
      rerun: isRerun ? { rows: progress?.rerun?.rows ?? null, by: progress?.rerun?.by ?? null } : null,
      basesInWork: tape.borrowingBaseStatuses.some(({ status }) => status !== 'Completed'),
      basesFailed: tape.borrowingBaseStatuses.flatMap((entry) =>
        entry.failure ? [{ note: entry.noteTitle, failure: entry.failure }] : [],
      ),
      basesCount: bases.length,
      pool: tape.statistics ? statusPool(tape.statistics) : null,
      workflowUrl:
        uiUrl && tape.workflowId
          ? `${uiUrl}/namespaces/${encodeURIComponent(context.environment.temporalNamespace)}/workflows/${encodeURIComponent(tape.workflowId)}`
          : null,
      may: {
        calculate: mayWrite && isPublished && !isRerun,
        // A tape that is published while its borrowing bases are calculated has nothing left to cancel.
        cancel: mayWrite && state === 'Processing' && !isPublished,
        cancelRerun: mayWrite && isRerun,
        retry: mayWrite && state === 'Failed',
        remove: mayWrite && state !== 'Processing' && (actor.type !== 'company' || !isPublished),
        correct: mayWrite && isPublished && state !== 'Processing',
        discard: mayWrite && isPublished && actor.type !== 'company' && !isRerun,
        seeBases: can(actor, 'borrowingBase/read'),
      },
      previous: previous ? { id: previous.id, cutOffDate: previous.cutOffDate } : null,
    },
  };
}

type Found = Awaited<ReturnType<typeof readTapeHead>>['found'];

/** Fields that a condition can usefully name here: what the tape holds, and what the borrowing base says. */
function fieldsToOffer(sources: readonly TapeSource[]): Field[] {
  const most = 40;
  const held = heldFields(sources).flatMap(filterFields);
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

/** The assets tab: filter, first rows, totals of what passes. `goTo` where the filter form was sent. */
export async function readAssetsView(screen: Screen, { tape }: Found) {
  const { context, url } = screen;
  const sources = await screen.db((session) => tapeSources(context, session, { tapeIds: [tape.id] }));
  const catalog = assetListCatalog(sources);
  const joined = joinDraft(url.searchParams, catalog);
  if (joined && 'goTo' in joined) return { kind: 'goTo' as const, search: `?${joined.goTo}` };
  const view = viewFilter(url.searchParams.get('filter'), catalog);
  const currencies = tape.statistics ? statusPool(tape.statistics).currencies : [];
  const hasBorrowingBase = sources.some(({ borrowingBase }) => borrowingBase !== null);
  const columns = assetColumns(heldFields(sources), currencies, hasBorrowingBase);
  const sort = readSort(url.searchParams.get('sort'), columns);
  const query = parseListQuery({ sort, skip: skipOf(url), limit: FIRST_ROWS }, catalog);
  const [page, groups] = await Promise.all([
    listAssets(context.lake, sources, { ...query, filter: view.filter }),
    view.text ? outstandingOf(screen, sources, view.filter) : null,
  ]);
  const assetId = url.searchParams.get('asset');
  const asset = assetId ? await assetOf(screen, tape.id, assetId) : null;
  return {
    kind: 'assets' as const,
    columns,
    rows: rowsOf(
      page,
      columns.map((column) => column.path),
    ),
    total: page.total,
    all: tape.counts?.assets ?? page.total,
    outstanding: groups,
    filter: view.text,
    chips: view.chips,
    fault: view.fault,
    draft: joined && 'draft' in joined ? joined.draft : null,
    fields: fieldsToOffer(sources),
    asset,
    corrections: asset ? await correctionsOfRow(screen, tape.id, asset.rowNumber) : [],
  };
}

async function outstandingOf(
  screen: Screen,
  sources: readonly TapeSource[],
  filter: Parameters<typeof listAssets>[2]['filter'],
) {
  const catalog = assetListCatalog(sources);
  const field = (path: string) => {
    const found = catalog.resolve(path);
    return 'field' in found ? found.field : null;
  };
  const { groups } = await groupAssets(screen.context.lake, sources, {
    filter,
    by: field('sums.outstandingSum.currency'),
    accumulator: '$sum',
    field: field('sums.outstandingSum'),
    weight: null,
    keepIds: false,
  });
  return groups.flatMap(({ key, value }) =>
    key === null || value === null ? [] : [{ currency: String(key), sum: value }],
  );
}

/** An asset of this very tape; null for any other id, so that a stale address shows the list. */
async function assetOf(screen: Screen, tapeId: string, id: string): Promise<AssetDocument | null> {
  try {
    const document = await assetById(screen.context, screen.actor, id);
    return document.metadata.loanTapeId === tapeId ? document : null;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** The borrowing bases made from the tape, with the names of their notes. */
export async function readBasesView(screen: Screen, { tape, bases }: Found) {
  const transactions = can(screen.actor, 'transactions/read')
    ? await screen.db((session) => listTransactions(session, { filter: { company: tape.companyId }, limit: 200 }))
    : { documents: [] };
  const notes = new Map(
    transactions.documents.flatMap(({ title, notes }) => notes.map((note) => [note.id, `${title}, ${note.title}`])),
  );
  return {
    kind: 'bases' as const,
    rows: bases.map((base) => {
      const { totals } = base.result as unknown as BorrowingBaseResult;
      return {
        id: base.id,
        note: notes.get(base.noteId) ?? 'Note',
        currency: base.currency,
        netBB: base.netBB,
        firstBB: base.firstBB,
        availability: totals.availability,
        balance: totals.balance,
        /** Made before the tape was published as it is now. */
        isStale: base.generationId !== tape.generationId,
      };
    }),
  };
}

/** What became of the tape, the latest first. */
export async function readHistoryView(screen: Screen, { tape }: Found) {
  const changes = await screen.db((session) => historyOf(session, { resource: 'loanTapes', documentId: tape.id }));
  return {
    kind: 'history' as const,
    rows: changes.map((change) => ({
      id: change.id,
      at: change.changedAt.toISOString(),
      by:
        'apiName' in change.changedBy.entity
          ? change.changedBy.entity.apiName
          : `${change.changedBy.entity.firstName} ${change.changedBy.entity.lastName}`,
      what: tellTapeChange(change.operation, change.updatedFields),
    })),
  };
}

/** The tab that the address asks for. */
export function readTapeView(screen: Screen, found: Found) {
  if (!found.tape.generationId) {
    return viewOf(screen.url) === 'history' ? readHistoryView(screen, found) : null;
  }
  switch (viewOf(screen.url)) {
    case 'errored':
      return readErroredView(screen, found);
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
      return readAssetsView(screen, found);
  }
}
