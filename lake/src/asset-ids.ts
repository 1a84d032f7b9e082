import { type Lake, readParquet } from './lake.ts';

/**
 * The ids of assets that some parts have and others do not, whatever their case.
 * @param onIds receives them in pieces; the next is read when it is done
 */
export async function assetIdsOnlyIn(
  lake: Lake,
  { paths, others, atOnce }: { paths: readonly string[]; others: readonly string[]; atOnce: number },
  onIds: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  if (paths.length === 0) return;
  const idsOf = (parts: readonly string[]): string =>
    `SELECT DISTINCT lower("assetId") AS id FROM ${readParquet(parts)} WHERE "assetId" IS NOT NULL`;
  await lake.connected(async (connection) => {
    const found = await connection.stream(
      others.length === 0 ? idsOf(paths) : `${idsOf(paths)} EXCEPT ${idsOf(others)}`,
    );
    let ids: string[] = [];
    for (let chunk = await found.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await found.fetchChunk()) {
      for (const id of chunk.getColumnValues(0)) ids.push(String(id));
      if (ids.length < atOnce) continue;
      await onIds(ids);
      ids = [];
    }
    if (ids.length > 0) await onIds(ids);
  });
}
