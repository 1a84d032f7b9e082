import { ASSET_IDS_AT_ONCE, addAssetIds } from '@tapeline/db/operations/search/asset-ids.ts';
import { readPublishedParts } from '@tapeline/db/operations/tapes/read-tapes.ts';
import { type Lake, readParquet } from '@tapeline/lake/lake.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import { TAPE_WORKER } from './tape-record.ts';

const STORING = { what: 'Making the assets searchable', seconds: 590 };

/** Makes the assets of a published tape searchable by their id. Idempotent; does nothing for a tape that is not published. */
export async function makeAssetsSearchable(context: WorkerContext, tapeId: string): Promise<void> {
  const published = await context.store.read(TAPE_WORKER, (session) => readPublishedParts(session, tapeId));
  if (!published) return;
  const paths = await localPaths(context.objects, published.manifest.assets);
  await withJobLake(context, STORING, (lake) => storeAssetIds(context, lake, { tapeId, paths }));
}

/** Stores the ids of the assets in these files. Idempotent. */
export async function storeAssetIds(
  context: Pick<WorkerContext, 'store'>,
  lake: Lake,
  { tapeId, paths }: { tapeId: string; paths: readonly string[] },
): Promise<void> {
  await lake.connected(async (connection) => {
    // In the order of the index, so that the rows of a batch go to the same pages.
    const found = await connection.stream(
      `SELECT DISTINCT "assetId" FROM ${readParquet(paths)} WHERE "assetId" IS NOT NULL ORDER BY 1`,
    );
    let ids: string[] = [];
    const store = async (): Promise<void> => {
      const stored = ids;
      ids = [];
      await context.store.as(TAPE_WORKER, (session) => addAssetIds(session, { tapeId, ids: stored }));
    };
    for (let chunk = await found.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await found.fetchChunk()) {
      for (const id of chunk.getColumnValues(0)) ids.push(String(id));
      if (ids.length >= ASSET_IDS_AT_ONCE) await store();
    }
    if (ids.length > 0) await store();
  });
}
