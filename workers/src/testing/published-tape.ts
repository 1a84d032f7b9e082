import { publishedGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import { openLake, readParquet } from '@tapeline/lake/lake.ts';
import { fromLake, type LakeValue } from '@tapeline/lake/values.ts';
import type { TapeCluster } from './tape-cluster.ts';

export interface PublishedRows {
  manifest: GenerationManifest;
  /** Every asset as stored, all columns, in file order: as filters read them. */
  assets: Record<string, LakeValue>[];
  errored: ErroredRow[];
}

/** Reads what the publication of a tape left in storage, as plain values. */
export async function readPublished(cluster: TapeCluster, tapeId: string): Promise<PublishedRows> {
  const generation = await cluster.asSystem((session) => publishedGeneration(session, tapeId));
  if (!generation?.manifest) throw new Error(`tape ${tapeId} is not published`);
  const { manifest } = generation;
  const paths = (keys: readonly string[]) => Promise.all(keys.map((key) => cluster.objects.localPath(key)));
  const lake = await openLake({ threads: 1 });
  try {
    const read = (sql: string) => lake.connected(async (connection) => connection.runAndReadAll(sql));
    const assets = await read(`SELECT * FROM ${readParquet(await paths(manifest.assets))}`);
    const names = assets.columnNames();
    const errored = await read(
      `SELECT "row", origin, CAST(to_json(errors) AS VARCHAR) FROM ${readParquet(await paths(manifest.errored))}`,
    );
    return {
      manifest,
      assets: assets.getRows().map((row) => Object.fromEntries(row.map((value, at) => [names[at], fromLake(value)]))),
      errored: errored.getRows().map(([row, origin, errors]) => ({
        row: Number(row),
        origin: JSON.parse(String(origin)),
        errors: JSON.parse(String(errors)),
      })),
    };
  } finally {
    lake.close();
  }
}
