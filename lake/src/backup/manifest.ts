import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { z } from 'zod';
import type { Lake } from '../lake.ts';
import { quoteName } from '../lake.ts';
import { isMissingObject } from '../storage/object-store.ts';

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
  /**
   * The same of replaced generations that certificates were calculated from. The number is that of the certificate, and
   * null if it has none. Earlier versions stored none of them.
   */
  replaced: z
    .array(z.object({ id: z.string(), assets: z.int().min(0).nullable(), files: z.array(objectKey) }))
    .default([]),
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

/** Reads the files of a backup, wherever and however they are stored. */
export interface BackupReader {
  /** As text for operators. */
  readonly label: (path: string) => string;
  /** @throws Refusal, see `missingObject`, or with the code ENOENT if there is no such file */
  readonly read: (path: string) => Promise<Readable>;
  /** A local file with the content of an object. */
  readonly localPath: (key: string) => Promise<string>;
}

/** Reads a backup that is not encrypted. */
export const folderReader = (folder: string): BackupReader => ({
  label: (path) => join(folder, path),
  async read(path) {
    await stat(join(folder, path));
    return createReadStream(join(folder, path));
  },
  localPath: async (key) => objectFile(folder, key),
});

async function measure(content: Readable): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of content as AsyncIterable<Buffer>) {
    hash.update(bytes);
    size += bytes.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/**
 * Reads every file of the backup again.
 * @throws Refusal badRequest that names the first file that is missing or damaged, or a tape whose files have a
 *   different number of assets
 */
export async function verifyBackup(reader: BackupReader, manifest: BackupManifest, lake: Lake): Promise<void> {
  const files = [
    ...manifest.tables.map((table) => ({ ...table, path: tablePath(table.name) })),
    ...manifest.objects.map((object) => ({ ...object, path: objectPath(object.key) })),
  ];
  for (const { path, size: wanted, sha256: checksum } of files) {
    const content = await reader.read(path).catch((error) => {
      if (!isMissingObject(error) && error.code !== 'ENOENT') throw error;
      throw new Refusal('badRequest', `The backup is incomplete: ${reader.label(path)} is missing`);
    });
    const found = await measure(content);
    if (found.size !== wanted || found.sha256 !== checksum) {
      throw new Refusal('badRequest', `The backup is damaged: ${reader.label(path)} has changed`);
    }
  }
  const known = new Set(manifest.objects.map(({ key }) => key));
  for (const tape of [...manifest.tapes, ...manifest.replaced]) {
    const missing = tape.files.find((key) => !known.has(key));
    if (missing) throw new Refusal('badRequest', `The backup is incomplete: ${missing} of tape ${tape.id} is missing`);
    const assets = await countRows(lake, await Promise.all(tape.files.map(reader.localPath)));
    if (tape.assets !== null && assets !== tape.assets) {
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
