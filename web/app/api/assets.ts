import type { AssetExplanation } from '@tapeline/domain/borrowing-base/explain.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { ARROW_STREAM, toArrow } from '@tapeline/lake/arrow.ts';
import { toDocuments } from '@tapeline/lake/asset-document.ts';
import { ERRORED_CATALOG, groupErroredAssets, listErroredAssets } from '@tapeline/lake/errored-assets.ts';
import { erroredExport } from '@tapeline/lake/errored-export.ts';
import { z } from 'zod';
import {
  assetById,
  basesHeader,
  exportOfAssets,
  groupsOfAssets,
  namedTapes,
  pageOfAssets,
  statisticsOfAssets,
} from '../commands/asset-list.server.ts';
import { acceptedFormat, EXPORT_MEDIA_TYPES, exportResponse } from '../commands/exports.server.ts';
import { erroredSources } from '../commands/tape-sources.server.ts';
import { assetSchema, erroredSchema } from './asset-bodies.ts';
import { groupBodies, groupBodySchema, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { statisticsSchema } from './tape-bodies.ts';

const explanationSchema = z
  .object({
    currency: z.string(),
    outOfScope: z.string().nullable().meta({ description: 'Why the asset is out of scope; null if it is in scope' }),
    failedRules: z.array(
      z.object({
        stage: z.enum(['eligibility', 'performance']),
        rule: z
          .int()
          .meta({ description: 'Position in the contract; -1 for the check that the asset has a current balance' }),
        title: z.string(),
        conditions: z.array(z.object({ condition: z.string(), value: z.string() })),
        sentence: z.string().meta({ example: 'Origination credit score is at least 640: is 612' }),
      }),
    ),
    offset: z
      .object({
        amount: z.number().meta({ description: 'What offsets took off the asset' }),
        offsets: z.array(
          z.object({
            rule: z.int().meta({ description: 'Position in the contract’s offsets' }),
            title: z.string(),
            groupBy: z.object({ path: z.string(), label: z.string() }),
            group: z.string().nullable().meta({ description: 'null for assets without the field' }),
          }),
        ),
      })
      .nullable()
      .meta({ description: 'null if no offset reduced the asset' }),
    concentration: z.array(
      z.object({
        rule: z.int(),
        title: z.string(),
        groupBy: z.object({ path: z.string(), label: z.string() }).nullable(),
        group: z.string().nullable().meta({ description: 'null for assets without the field' }),
        excess: z
          .number()
          .nullable()
          .meta({ description: 'The rule’s excess on the asset, in the currency of the borrowing base' }),
        removed: z.number().nullable().meta({
          description:
            'What the asset loses to the rule. With limits that combine by `maximumPerAsset`, only the rule with the greatest excess removes any',
        }),
      }),
    ),
    advance: z
      .object({
        rate: z.number().meta({ description: 'Percent' }),
        case: z.string().nullable().meta({ description: 'The case that set the rate' }),
        condition: z.string().nullable(),
        scope: z.string().nullable(),
        remaining: z.number(),
        advanced: z.number(),
      })
      .nullable(),
  })
  .meta({ id: 'AssetExplanation' });

/** Converts amounts and rates to numbers with all their digits. */
const withNumbers = ({ offset, concentration, advance, ...rest }: AssetExplanation) => ({
  ...rest,
  offset: offset && { ...offset, amount: exactNumber(offset.amount) },
  concentration: concentration.map((cut) => ({
    ...cut,
    excess: exactNumber(cut.excess),
    removed: exactNumber(cut.removed),
  })),
  advance: advance && {
    ...advance,
    rate: exactNumber(advance.rate),
    remaining: exactNumber(advance.remaining),
    advanced: exactNumber(advance.advanced),
  },
});

const assetParamsSchema = listParamsSchema.extend({
  borrowingBase: idSchema.optional().meta({
    description:
      'The borrowing base whose results are returned with the assets. Default: for each tape, that of its first note (by transaction code), under its latest contract. With one that was calculated before its tape was republished, the assets of that tape are the earlier ones that it was calculated from. The X-Borrowing-Bases header gives the note and contract of each',
  }),
});

const ASSETS_FILE = { name: 'assets', sheetName: 'Assets' };
const ERRORED_FILE = { name: 'errored-assets', sheetName: 'Errored rows' };

interface ErroredGroup {
  key: string | null;
  value: string;
  count: number;
  ids?: string[];
}

/** Merges the groups of all tapes into one. Returns an empty list if there are no groups. */
function together(groups: readonly { count: number; ids?: string[] }[]): ErroredGroup[] {
  if (groups.length === 0) return [];
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const ids = groups.every((group) => group.ids) ? { ids: groups.flatMap((group) => group.ids ?? []) } : {};
  return [{ key: null, value: String(count), count, ...ids }];
}

/**
 * Whether the request sets `skip` and `limit`. Without them, JSON returns the first page and a file contains
 * everything.
 */
function givenOf(request: Request): { skip: boolean; limit: boolean } {
  const { searchParams } = new URL(request.url);
  return { skip: searchParams.has('skip'), limit: searchParams.has('limit') };
}

export const assetEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/crud/assets',
    access: 'assets/read',
    summary:
      'List assets of published tapes. With an Accept header for CSV, an Excel workbook, Parquet or an Arrow stream, the whole list is streamed, unless skip or limit are given',
    query: assetParamsSchema,
    files: EXPORT_MEDIA_TYPES,
    response: z.union([z.array(assetSchema), z.array(groupBodySchema)]),
    async handle({ query, actor, context, request }) {
      if (query.groupBy) {
        const found = await groupsOfAssets(context, actor, query);
        return { body: groupBodies(found), count: found.total, headers: basesHeader(found.sources) };
      }
      const format = acceptedFormat(request.headers.get('accept'));
      const given = givenOf(request);
      if (format && !(format === 'arrow' && given.limit)) {
        const table = await exportOfAssets(context, actor, query, given);
        return exportResponse({ context, request, actor }, table, {
          format,
          ...ASSETS_FILE,
          count: table.total,
          headers: basesHeader(table.sources),
        });
      }
      const page = await pageOfAssets(context, actor, query);
      if (format) {
        return new Response(toArrow(page) as Uint8Array<ArrayBuffer>, {
          headers: {
            'content-type': ARROW_STREAM,
            'x-docs-count': String(page.total),
            'cache-control': 'no-store',
            ...basesHeader(page.sources),
          },
        });
      }
      return { body: toDocuments(page, exactNumber), count: page.total, headers: basesHeader(page.sources) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assets/statistics',
    access: 'assets/read',
    summary: 'Count assets by status, with sums by status and currency',
    query: assetParamsSchema,
    response: statisticsSchema,
    async handle({ query, actor, context }) {
      const { statistics, sources } = await statisticsOfAssets(context, actor, query);
      return { body: statistics, headers: basesHeader(sources) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assets/errored',
    access: 'assets/read',
    summary:
      'List errored assets: rows that could not become assets, with every reason. Filter and sort by loanTapeId, id and rowNumber. With an Accept header for CSV, an Excel workbook, Parquet or an Arrow stream, the whole list is streamed',
    query: listParamsSchema,
    files: EXPORT_MEDIA_TYPES,
    response: z.union([z.array(erroredSchema), z.array(groupBodySchema)]),
    async handle({ query, actor, context, request, db }) {
      const { filter, skip, limit, sort, groupBy, preseveDocsIds } = parseListQuery(query, ERRORED_CATALOG);
      if (groupBy?.by && groupBy.by.path !== 'loanTapeId') {
        throw new Refusal('badRequest', 'Errored assets are grouped by loanTapeId', {
          flags: { 'groupBy.by': 'must be loanTapeId' },
        });
      }
      const tapeIds = namedTapes(query.filter);
      const sources = await db((session) => erroredSources(context, session, tapeIds ? { tapeIds } : {}));
      if (groupBy) {
        const byTapes = await groupErroredAssets(context.lake, sources, preseveDocsIds, filter);
        const groups: ErroredGroup[] = groupBy.by
          ? byTapes.map(({ tapeId, ...group }) => ({ key: tapeId, value: String(group.count), ...group }))
          : together(byTapes);
        return {
          body: groupBodies({ by: groupBy.by, groups: groups.slice(skip, skip + limit) }),
          count: groups.length,
        };
      }
      const format = acceptedFormat(request.headers.get('accept'));
      if (format) {
        const table = await erroredExport(context.lake, sources, { filter, sort });
        return exportResponse({ context, request, actor }, table, { format, ...ERRORED_FILE, count: table.rows });
      }
      const page = await listErroredAssets(context.lake, sources, { filter, sort, skip, limit });
      return { body: page.rows, count: page.total };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assets/{id}',
    access: 'assets/read',
    summary:
      'Get an asset, with an explanation of its part in the borrowing base: failed rules with its values, concentration cuts by rule and group, the case that set its advance rate',
    params: idParamsSchema,
    query: assetParamsSchema.pick({ borrowingBase: true }),
    response: assetSchema.extend({ explanation: explanationSchema.nullable() }).meta({ id: 'ExplainedAsset' }),
    async handle({ params, query, actor, context }) {
      const { borrowingBase } = query;
      const asset = await assetById(context, actor, params.id, { exact: exactNumber, borrowingBase });
      return { body: { ...asset, explanation: asset.explanation && withNumbers(asset.explanation) } };
    },
  }),
];
