import { readAssetId } from '@tapeline/db/ids.ts';
import { findTapeByAssetPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import type { AssetExplanation } from '@tapeline/domain/borrowing-base/explain.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { AssetStatistics } from '@tapeline/domain/tapes/tape.schema.ts';
import { type AssetDocument, toDocuments } from '@tapeline/lake/asset-document.ts';
import { assetExport } from '@tapeline/lake/asset-export.ts';
import { type AssetGroup, groupAssets } from '@tapeline/lake/asset-groups.ts';
import { assetListCatalog, type TapeSource } from '@tapeline/lake/asset-relation.ts';
import { type AssetPage, listAssets } from '@tapeline/lake/assets.ts';
import type { ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { assetStatistics } from '@tapeline/lake/statistics.ts';
import type { RequestContext } from '../http/context.ts';
import { explanationOf } from './explain-asset.server.ts';
import { tapeSources } from './tape-sources.server.ts';

/** The query string of an asset list: the list parameters, and the borrowing base to show next to the assets. */
export interface AssetListInput {
  readonly borrowingBase?: string | undefined;
  readonly [key: string]: unknown;
}

async function openSources(context: RequestContext, actor: UserActor, input: AssetListInput): Promise<TapeSource[]> {
  // Custom fields differ between tapes, so the tapes must be known before the filter can be fully parsed.
  const named = namedTapes(input.filter);
  return context.store.as(actor, (session) =>
    tapeSources(context, session, {
      ...(named ? { tapeIds: named } : {}),
      ...(input.borrowingBase ? { borrowingBase: input.borrowingBase } : {}),
    }),
  );
}

/**
 * The tapes that the top level of an unparsed filter names, as `loanTape` or `loanTapeId`: no others have to be read.
 * Undefined if it names none. The filter itself is validated later with the catalog of those tapes.
 */
export function namedTapes(filter: unknown): string[] | undefined {
  let read: unknown = filter;
  if (typeof filter === 'string') {
    try {
      read = JSON.parse(filter);
    } catch {
      return undefined;
    }
  }
  const { loanTape, loanTapeId } = (read ?? {}) as { loanTape?: unknown; loanTapeId?: unknown };
  const condition = loanTape ?? loanTapeId;
  if (typeof condition === 'string') return [condition];
  const { eq, $eq, in: list, $in } = (condition ?? {}) as Record<string, unknown>;
  if (typeof (eq ?? $eq) === 'string') return [String(eq ?? $eq)];
  const values = list ?? $in;
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : undefined;
}

/** A page of the assets visible to the actor. @throws Refusal with flags for errors in the query */
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
 * The whole list of visible assets for export. `skip` and `limit` apply only if the query has them. `total` is the
 * count before either is applied.
 */
export async function exportOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
  given: { skip: boolean; limit: boolean },
): Promise<ExportTable & { total: number; sources: readonly TapeSource[] }> {
  const sources = await openSources(context, actor, input);
  const { filter, sort, skip, limit } = parseListQuery(input, assetListCatalog(sources));
  const table = await assetExport(context.lake, sources, {
    filter,
    sort,
    ...(given.skip ? { skip } : {}),
    ...(given.limit ? { limit } : {}),
  });
  return { ...table, sources };
}

/** Maximum number of entries in the header. A list may cover more tapes than a header can name. */
const MAX_NAMED = 20;

/** An asset, and the explanation of its amount in the borrowing base shown. Null if there is no borrowing base. */
export type ExplainedAsset = AssetDocument & { explanation: AssetExplanation | null };

/** `X-Borrowing-Bases`: the borrowing base that each tape's results come from, as JSON in ASCII. */
export function basesHeader(sources: readonly TapeSource[]): Record<string, string> {
  const shown = sources.flatMap(({ tapeId, borrowingBase }) =>
    borrowingBase ? [{ loanTape: tapeId, id: borrowingBase.id, ...borrowingBase.of }] : [],
  );
  if (shown.length === 0) return {};
  const json = JSON.stringify(shown.slice(0, MAX_NAMED));
  const ascii = json.replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { 'x-borrowing-bases': ascii };
}

/** Groups of the visible assets by the query's `groupBy`, and their count before skip and limit. */
export async function groupsOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
): Promise<{ by: Field | null; groups: AssetGroup[]; total: number; sources: readonly TapeSource[] }> {
  const sources = await openSources(context, actor, input);
  const { filter, groupBy, preseveDocsIds, skip, limit } = parseListQuery(input, assetListCatalog(sources));
  if (!groupBy) throw new Refusal('badRequest', undefined, { flags: { groupBy: REQUIRED } });
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
  return { by: groupBy.by, sources, ...page };
}

/** Statuses and sums of the visible assets that pass the filter. */
export async function statisticsOfAssets(
  context: RequestContext,
  actor: UserActor,
  input: AssetListInput,
): Promise<{ statistics: AssetStatistics; sources: readonly TapeSource[] }> {
  const sources = await openSources(context, actor, input);
  const { filter } = parseListQuery(input, assetListCatalog(sources));
  return { statistics: await assetStatistics(context.lake, sources, filter), sources };
}

/**
 * Finds one asset by its id, which identifies its tape and row directly.
 * @param options.exact how decimals are written, as for `toDocuments`
 * @param options.borrowingBase whose result is shown with the asset; by default that of the tape's first note
 * @throws Refusal notFound; badRequest for a borrowing base that is not the tape's
 * @returns the asset, with an explanation of its result
 */
export async function assetById(
  context: RequestContext,
  actor: UserActor,
  id: string,
  options: { exact?: (decimal: DecimalText) => unknown; borrowingBase?: string | undefined } = {},
): Promise<ExplainedAsset> {
  const { exact, borrowingBase } = options;
  const named = readAssetId(id.toLowerCase());
  if (!named) throw new Refusal('notFound');
  const sources = await context.store.as(actor, async (session) => {
    const tape = await findTapeByAssetPrefix(session, named.assetPrefix);
    const choice = borrowingBase ? { borrowingBase } : {};
    return tape ? tapeSources(context, session, { tapeIds: [tape.id], ...choice }) : [];
  });
  if (sources.length === 0) throw new Refusal('notFound');
  const catalog = assetListCatalog(sources);
  const query = parseListQuery({ filter: { row: named.row }, limit: 1 }, catalog);
  const page = await listAssets(context.lake, sources, query);
  const [document] = toDocuments(page, exact);
  if (!document) throw new Refusal('notFound');
  return { ...document, explanation: await explanationOf(context, actor, page) };
}
