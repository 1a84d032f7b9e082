import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { z } from 'zod';
import type { Lake } from '../lake.ts';
import { quoteName } from '../lake.ts';

/** The file that completes a backup: it is written last, so a folder without it is not a backup. */
export const MANIFEST = 'manifest.json';
const FORMAT = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.int().min(0);
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);
/** A key as `checkKey` accepts it: it cannot lead out of the folder. */
const objectKey = z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199})+$/);

const manifestSchema = z.object({
  format: z.literal(FORMAT, 'is of another version of Tapeline'),
  createdAt: z.iso.datetime(),
  /** Id of the instance that was backed up. */
  instance: z.string().nullable(),
  /** Migrations that its tables had run, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, rows: size, size, sha256 })),
  sequences: z.array(z.object({ name, last: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
  objects: z.array(z.object({ key: objectKey, size, sha256 })),
  /** Published tapes, and the number of assets in their files. */
  tapes: z.array(z.object({ id: z.string(), assets: z.int().min(0), files: z.array(objectKey) })),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

export const newManifest = (manifest: Omit<BackupManifest, 'format'>): BackupManifest => ({
  format: FORMAT,
  ...manifest,
});

/** Paths of files within a backup. */
export const tablePath = (table: string): string => `tables/${table}.jsonl`;
export const objectPath = (key: string): string => `objects/${key}`;

export const tableFile = (folder: string, table: string): string => join(folder, tablePath(table));
export const objectFile = (folder: string, key: string): string => join(folder, objectPath(key));

/** @throws Refusal badRequest if the folder is not a complete backup */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const content = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (content === null) {
    throw new Refusal('badRequest', `${folder} is not a backup: it has no ${MANIFEST}. A failed backup has none.`);
  }
  const parsed = manifestSchema.safeParse(json(content));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Refusal(
      'badRequest',
      `${join(folder, MANIFEST)} cannot be used: ${issue?.path.join('.')} ${issue?.message}`,
    );
  }
  return parsed.data;
}

function json(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

export async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * Reads every file of the backup again.
 * @throws Refusal badRequest that names the first file that is missing or damaged, or a tape whose files have a
 *   different number of assets
 */
export async function verifyBackup(folder: string, manifest: BackupManifest, lake: Lake): Promise<void> {
  const files = [
    ...manifest.tables.map((table) => ({ ...table, path: tableFile(folder, table.name) })),
    ...manifest.objects.map((object) => ({ ...object, path: objectFile(folder, object.key) })),
  ];
  for (const file of files) {
    const found = await stat(file.path).catch(() => null);
    if (!found) throw new Refusal('badRequest', `The backup is incomplete: ${file.path} is missing`);
    if (found.size !== file.size || (await checksumOf(file.path)) !== file.sha256) {
      throw new Refusal('badRequest', `The backup is damaged: ${file.path} has changed`);
    }
  }
  const known = new Set(manifest.objects.map(({ key }) => key));
  for (const tape of manifest.tapes) {
    const missing = tape.files.find((key) => !known.has(key));
    if (missing) throw new Refusal('badRequest', `The backup is incomplete: ${missing} of tape ${tape.id} is missing`);
    const assets = await countRows(
      lake,
      tape.files.map((key) => objectFile(folder, key)),
    );
    if (assets !== tape.assets) {
      throw new Refusal(
        'badRequest',
        `The backup is wrong: tape ${tape.id} has ${tape.assets} assets, and its files ${assets}`,
      );
    }
  }
}

async function countRows(lake: Lake, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
  return lake.connected(async (connection) => {
    const answer = await connection.runAndReadAll(
      `SELECT count(*) AS ${quoteName('rows')} FROM read_parquet([${list}])`,
    );
    return Number(answer.getRows()[0]?.[0] ?? 0);
  });
}
