import { ASSET_IDS_AT_ONCE, addAssetIds } from '@tapeline/db/operations/search/asset-ids.ts';
import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { readParquet } from '@tapeline/lake/lake.ts';
import { localPaths } from '@tapeline/lake/storage/object-store.ts';
import type { WorkerContext } from '../context.ts';
import { withJobLake } from '../job-lake.ts';
import { TAPE_WORKER } from './tape-record.ts';

const STORING = { what: 'Making the assets searchable', seconds: 590 };

/** Makes the assets of a published tape searchable by their id. Idempotent; does nothing for a tape that is not published. */
export async function makeAssetsSearchable(context: WorkerContext, tapeId: string): Promise<void> {
  const generation = await context.store.as(TAPE_WORKER, (session) => publishedGeneration(session, tapeId));
  if (!generation?.manifest) return;
  const paths = await localPaths(context.objects, generation.manifest.assets);
  await withJobLake(context, STORING, (lake) =>
    lake.connected(async (connection) => {
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
    }),
  );
}
