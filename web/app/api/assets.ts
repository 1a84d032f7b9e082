import { ARROW_STREAM, toArrow } from '@tapeline/db/lake/arrow.ts';
import { toDocuments } from '@tapeline/db/lake/asset-document.ts';
import { groupErroredAssets, listErroredAssets } from '@tapeline/db/lake/errored-assets.ts';
import { erroredExport } from '@tapeline/db/lake/errored-export.ts';
import { createCatalog } from '@tapeline/domain/filters/catalog.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { acceptedFormat, exportResponse } from '../exports.server.ts';
import {
  assetById,
  exportOfAssets,
  groupsOfAssets,
  pageOfAssets,
  statisticsOfAssets,
} from '../tapes/asset-list.server.ts';
import { erroredSources } from '../tapes/tape-sources.server.ts';
import { amountBodySchema, groupBodies, groupBodySchema, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const assetSchema = z
  .object({
    id: z.string(),
    cutOffDate: z.string(),
    company: z.string(),
    rowNumber: z.int(),
    sequenceIndex: z.int(),
    assetsETLVersion: z.int(),
    targetData: z.record(z.string(), z.unknown()),
    borrowingBase: z.record(z.string(), z.unknown()).nullable(),
    metadata: z.object({ loanTapeId: z.string(), customFields: z.record(z.string(), z.unknown()) }),
  })
  .meta({ id: 'Asset' });

const erroredSchema = z
  .object({
    id: z.string(),
    loanTape: z.string(),
    rowNumber: z.int(),
    originData: z.record(z.string(), z.unknown()),
    error: z.string(),
    errors: z.array(
      z.object({
        rule: z.int(),
        column: z.string().nullable(),
        target: z.string(),
        value: z.string().nullable(),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: 'ErroredAsset' });

const figureSchema = z.object({ name: z.string(), amount: amountBodySchema });

/** Errored assets are filtered and sorted by their tape. */
const ERRORED_CATALOG = createCatalog([{ path: 'loanTapeId', label: 'Loan tape', type: 'text' }]);

const assetParamsSchema = listParamsSchema.extend({
  borrowingBase: z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .optional()
    .meta({
      description: 'The borrowing base whose results stand beside the assets; the latest of each tape where left out',
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

/** The groups of all tapes as one; none where there is nothing. */
function together(groups: readonly { count: number; ids?: string[] }[]): ErroredGroup[] {
  if (groups.length === 0) return [];
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const ids = groups.every((group) => group.ids) ? { ids: groups.flatMap((group) => group.ids ?? []) } : {};
  return [{ key: null, value: String(count), count, ...ids }];
}

/** Whether a page is asked for: where nothing is said, JSON answers the first page and a file holds everything. */
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
      'Assets of the published tapes in sight. The Accept header may ask for CSV, an Excel workbook, Parquet or an Arrow stream: the whole list then, as a stream, unless skip or limit are given',
    query: assetParamsSchema,
    response: z.union([z.array(assetSchema), z.array(groupBodySchema)]),
    async handle({ query, actor, context, request }) {
      if (query.groupBy) {
        const found = await groupsOfAssets(context, actor, query);
        return { body: groupBodies(found), count: found.total };
      }
      const format = acceptedFormat(request.headers.get('accept'));
      const given = givenOf(request);
      if (format && !(format === 'arrow' && given.limit)) {
        const table = await exportOfAssets(context, actor, query, given);
        return exportResponse(context, request, table, { format, ...ASSETS_FILE, count: table.total });
      }
      const page = await pageOfAssets(context, actor, query);
      if (format) {
        return new Response(toArrow(page) as Uint8Array<ArrayBuffer>, {
          headers: { 'content-type': ARROW_STREAM, 'x-docs-count': String(page.total), 'cache-control': 'no-store' },
        });
      }
      return { body: toDocuments(page, exactNumber), count: page.total };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assets/statistics',
    access: 'assets/read',
    summary: 'How many assets of each status, and sums by status and currency',
    query: assetParamsSchema,
    response: z.object({
      assetsStatuses: z.array(z.object({ name: z.string(), value: z.int() })),
      sum: z.array(figureSchema),
      outstandingSum: z.array(figureSchema),
    }),
    async handle({ query, actor, context }) {
      return { body: await statisticsOfAssets(context, actor, query) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assets/errored',
    access: 'assets/read',
    summary:
      'Rows that could not become assets, with every reason; filter and sort by loanTapeId. The Accept header may ask for the whole list as CSV, an Excel workbook, Parquet or an Arrow stream',
    query: listParamsSchema,
    response: z.union([z.array(erroredSchema), z.array(groupBodySchema)]),
    async handle({ query, actor, context, request }) {
      const { filter, skip, limit, sort, groupBy, preseveDocsIds } = parseListQuery(query, ERRORED_CATALOG);
      const inSight = await context.store.as(actor, (session) => erroredSources(context, session));
      const sources = inSight.filter(({ tapeId }) => evaluateFilter(filter, () => tapeId) === true);
      const [byTape] = sort;
      if (byTape) sources.sort((a, b) => (a.tapeId < b.tapeId ? -byTape.direction : byTape.direction));
      if (groupBy) {
        const byTapes = await groupErroredAssets(context.lake, sources, preseveDocsIds);
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
        const table = await erroredExport(context.lake, sources);
        return exportResponse(context, request, table, { format, ...ERRORED_FILE, count: table.rows });
      }
      const page = await listErroredAssets(context.lake, sources, { skip, limit });
      return { body: page.rows, count: page.total };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assets/{id}',
    access: 'assets/read',
    summary: 'One asset',
    params: idParamsSchema,
    response: assetSchema,
    async handle({ params, actor, context }) {
      return { body: await assetById(context, actor, params.id, exactNumber) };
    },
  }),
];
