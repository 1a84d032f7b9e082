import { readAssetId } from '@tapeline/db/ids.ts';
import { type AssetDocument, toDocuments } from '@tapeline/db/lake/asset-document.ts';
import { assetExport } from '@tapeline/db/lake/asset-export.ts';
import { type AssetGroup, groupAssets } from '@tapeline/db/lake/asset-groups.ts';
import { type AssetPage, assetListCatalog, listAssets, type TapeSource } from '@tapeline/db/lake/assets.ts';
import type { ExportTable } from '@tapeline/db/lake/exports/export-table.ts';
import { assetStatistics } from '@tapeline/db/lake/statistics.ts';
import { findTapeByAssetPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import type { RequestContext } from '../context.ts';
import { tapeSources } from './tape-sources.server.ts';

/** The query string of a list of assets: the list vocabulary, and the borrowing base to show beside them. */
export interface AssetListInput {
  readonly borrowingBase?: string | undefined;
  readonly [key: string]: unknown;
}

async function openSources(context: RequestContext, actor: UserActor, input: AssetListInput): Promise<TapeSource[]> {
  // Custom fields differ from tape to tape, so the tapes are found before the filter can be read in full.
  const named = loosely(input.filter);
  return context.store.as(actor, (session) =>
    tapeSources(context, session, {
      ...(named ? { tapeIds: named } : {}),
      ...(input.borrowingBase ? { borrowingBase: input.borrowingBase } : {}),
    }),
  );
}

/** `loanTape` at the top of an unread filter; the filter itself is judged afterwards, with the catalog of those tapes. */
function loosely(filter: unknown): string[] | undefined {
  let read: unknown = filter;
  if (typeof filter === 'string') {
    try {
      read = JSON.parse(filter);
    } catch {
      return undefined;
    }
  }
  const condition = (read as { loanTape?: unknown } | null)?.loanTape;
  if (typeof condition === 'string') return [condition];
  const { eq, $eq, in: list, $in } = (condition ?? {}) as Record<string, unknown>;
  if (typeof (eq ?? $eq) === 'string') return [String(eq ?? $eq)];
  const values = list ?? $in;
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : undefined;
}

/** A page of the assets in sight. @throws Refusal with flags for what the query has wrong */
export async function pageOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
): Promise<AssetPage> {
  const sources = await openSources(context, actor, input);
  const query = parseListQuery(input, assetListCatalog(sources));
  return listAssets(context.lake, sources, query);
}

/**
 * The whole list of the assets in sight as it is exported; `skip` and `limit` count only where the query has them.
 * `total` is how many there are before either.
 */
export async function exportOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
  given: { skip: boolean; limit: boolean },
): Promise<ExportTable & { total: number }> {
  const sources = await openSources(context, actor, input);
  const { filter, sort, skip, limit } = parseListQuery(input, assetListCatalog(sources));
  return assetExport(context.lake, sources, {
    filter,
    sort,
    ...(given.skip ? { skip } : {}),
    ...(given.limit ? { limit } : {}),
  });
}

/** Groups of the assets in sight, by the query's `groupBy`, and how many there are before skip and limit. */
export async function groupsOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
): Promise<{ by: Field | null; groups: AssetGroup[]; total: number }> {
  const sources = await openSources(context, actor, input);
  const { filter, groupBy, preseveDocsIds, skip, limit } = parseListQuery(input, assetListCatalog(sources));
  if (!groupBy) throw new Refusal('badRequest', undefined, { flags: { groupBy: 'is required' } });
  const page = await groupAssets(context.lake, sources, {
    filter,
    by: groupBy.by,
    accumulator: groupBy.accumulator,
    field: groupBy.field,
    weight: groupBy.weightedField,
    keepIds: preseveDocsIds,
    skip,
    limit,
  });
  return { by: groupBy.by, ...page };
}

/** Statuses and sums of the assets in sight that pass the filter. */
export async function statisticsOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
): Promise<AssetStatistics> {
  const sources = await openSources(context, actor, input);
  const { filter } = parseListQuery(input, assetListCatalog(sources));
  return assetStatistics(context.lake, sources, filter);
}

/**
 * One asset by its id, which leads straight to its tape and row.
 * @param exact how decimals are written, as for `toDocuments`
 * @throws Refusal notFound
 */
export async function assetById(
  context: RequestContext,
  actor: UserActor,
  id: string,
  exact?: (decimal: DecimalText) => unknown,
): Promise<AssetDocument> {
  const named = readAssetId(id.toLowerCase());
  if (!named) throw new Refusal('notFound');
  const sources = await context.store.as(actor, async (session) => {
    const tape = await findTapeByAssetPrefix(session, named.assetPrefix);
    return tape ? tapeSources(context, session, { tapeIds: [tape.id] }) : [];
  });
  if (sources.length === 0) throw new Refusal('notFound');
  const catalog = assetListCatalog(sources);
  const query = parseListQuery({ filter: { row: named.row }, limit: 1 }, catalog);
  const [document] = toDocuments(await listAssets(context.lake, sources, query), exact);
  if (!document) throw new Refusal('notFound');
  return document;
}
