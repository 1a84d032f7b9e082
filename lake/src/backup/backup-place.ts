import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupSettings } from '@tapeline/db/environment.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { deletePrefix, isMissingObject, missingObject, type ObjectStore } from '../storage/object-store.ts';
import { openS3Store } from '../storage/s3-store.ts';
import { eachAtOnce } from './each-at-once.ts';
import { type BackupManifest, MANIFEST, objectPath, readManifest, tablePath } from './manifest.ts';
import { open, seal } from './sealing.ts';
import { LEFT_MS } from './working-files.ts';

/** Names of encrypted files end with this. */
const SEALED = '.sealed';
const FILES_AT_ONCE = 4;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Where backups are stored, each under its name. */
export interface BackupPlace {
  /** As text for operators, without a slash at its end. */
  readonly label: string;
  /** The names of the complete backups, sorted. */
  list(): Promise<string[]>;
  /** Whether nothing is stored under a name: no backup, no part of one, and nothing else. */
  isFree(name: string): Promise<boolean>;
  put(path: string, content: Readable): Promise<void>;
  /** @throws Refusal, see `missingObject` */
  get(path: string): Promise<Readable>;
  remove(name: string): Promise<void>;
  /**
   * Removes what killed processes have left: backups that never became complete, and parts of files.
   * @returns how many
   */
  tidy(now: Date): Promise<number>;
  close(): Promise<void>;
}

/** What is named as a backup, or as one that is being made. */
const OURS = /^\d{4}-\d{2}-\d{2}(T\d{2}-\d{2}-\d{2}Z)?(\.partial-[0-9a-f]{8})?$/;

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

export function folderPlace(folder: string): BackupPlace {
  const root = resolve(folder);
  const place: BackupPlace = {
    label: root,
    async list() {
      const names = await readdir(root).catch((error) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const complete: string[] = [];
      for (const name of names.toSorted()) {
        for (const manifest of [MANIFEST, MANIFEST + SEALED]) {
          if (await stat(join(root, name, manifest)).catch(() => null)) complete.push(name);
        }
      }
      return complete;
    },
    async isFree(name) {
      const there = await readdir(join(root, name)).catch((error) => {
        if (error.code === 'ENOENT') return [];
        if (error.code === 'ENOTDIR') return ['a file'];
        throw error;
      });
      return there.length === 0;
    },
    async put(path, content) {
      const target = join(root, path);
      await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
      await pipeline(content, createWriteStream(target, { flags: 'wx', mode: PRIVATE_FILE, flush: true }));
    },
    async get(path) {
      const source = join(root, path);
      if (!(await stat(source).catch(() => null))) throw missingObject(path);
      return createReadStream(source);
    },
    // The manifest goes first: what is left of a removal that was interrupted is no backup.
    async remove(name) {
      for (const manifest of [MANIFEST, MANIFEST + SEALED]) await rm(join(root, name, manifest), { force: true });
      await rm(join(root, name), { recursive: true, force: true });
    },
    async tidy(now) {
      const complete = new Set(await place.list());
      const names = await readdir(root).catch(() => []);
      let removed = 0;
      for (const name of names.filter((one) => OURS.test(one) && !complete.has(one))) {
        const found = await stat(join(root, name)).catch(() => null);
        if (!found || found.mtimeMs > now.getTime() - LEFT_MS) continue;
        await place.remove(name);
        removed += 1;
      }
      return removed;
    },
    async close() {},
  };
  return place;
}

const BUCKET_FOLDER = 'backups/';

export function bucketPlace(objects: ObjectStore): BackupPlace {
  const place: BackupPlace = {
    label: objects.place + BUCKET_FOLDER.slice(0, -1),
    async list() {
      const names: string[] = [];
      for await (const { key } of objects.list(BUCKET_FOLDER)) {
        const [, name = '', file] = key.split('/');
        if (file === MANIFEST + SEALED) names.push(name);
      }
      return names.toSorted();
    },
    async isFree(name) {
      for await (const _ of objects.list(`${BUCKET_FOLDER}${name}/`)) return false;
      return true;
    },
    async put(path, content) {
      await objects.putStream(BUCKET_FOLDER + path, content);
    },
    get: (path) => objects.getStream(BUCKET_FOLDER + path),
    async remove(name) {
      await objects.delete(`${BUCKET_FOLDER}${name}/${MANIFEST}${SEALED}`);
      await deletePrefix(objects, `${BUCKET_FOLDER}${name}/`);
    },
    async tidy(now) {
      const newest = new Map<string, number>();
      for await (const { key, storedAt } of objects.list(BUCKET_FOLDER)) {
        const [, name = ''] = key.split('/');
        newest.set(name, Math.max(newest.get(name) ?? 0, storedAt.getTime()));
      }
      for (const name of await place.list()) newest.delete(name);
      const left = [...newest].filter(([name, at]) => OURS.test(name) && at < now.getTime() - LEFT_MS);
      for (const [name] of left) await place.remove(name);
      return left.length + (await objects.giveUpUploads(BUCKET_FOLDER, now));
    },
    close: () => objects.close(),
  };
  return place;
}

/**
 * The place that the settings name, or else a folder.
 * @param work folder for working files
 */
export async function openBackupPlace(settings: BackupSettings, folder: string, work: string): Promise<BackupPlace> {
  return settings.s3 ? bucketPlace(await openS3Store(settings.s3, work)) : folderPlace(folder);
}

/** The paths of a backup's files, except the manifest. */
const pathsOf = (manifest: BackupManifest): string[] => [
  ...manifest.tables.map(({ name }) => tablePath(name)),
  ...manifest.objects.map(({ key }) => objectPath(key)),
];

/** A backup of a place, and the key that its files are encrypted with. */
export interface SealedBackup {
  readonly place: BackupPlace;
  readonly name: string;
  readonly key: Buffer;
}

/** Waits for both ends of a stream, and throws the error of whichever failed first. */
export async function bothEnd(reading: Promise<unknown>, writing: Promise<unknown>): Promise<void> {
  await Promise.all([reading, writing]).catch(async (error) => {
    await Promise.allSettled([reading, writing]);
    throw error;
  });
}

/** Encrypts a file of a backup into its place. */
export async function putSealed({ place, name, key }: SealedBackup, path: string, content: Readable): Promise<void> {
  const sealed = seal(key, path);
  await bothEnd(
    pipeline(content, sealed),
    place.put(`${name}/${path}${SEALED}`, sealed).catch((error) => {
      // Nobody reads it any more, so its source must end as well.
      sealed.destroy(error);
      throw error;
    }),
  );
}

/** The content of an encrypted file. Its errors are those of reading and of opening it. */
export async function readSealed({ place, name, key }: SealedBackup, path: string): Promise<Readable> {
  const content = await place.get(`${name}/${path}${SEALED}`);
  const opened = open(key, path);
  content.once('error', (error) => opened.destroy(error));
  opened.once('close', () => content.destroy());
  return content.pipe(opened);
}

/**
 * Opens an encrypted backup into a folder, from which it can be restored.
 * @throws Refusal badRequest if it is damaged or incomplete, or for another key
 */
export async function fetchBackup(folder: string, backup: SealedBackup): Promise<void> {
  const { place, name } = backup;
  const receive = async (path: string) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
    const content = await readSealed(backup, path).catch((error) => {
      if (!isMissingObject(error)) throw error;
      throw new Refusal('badRequest', `The backup ${name} in ${place.label} is incomplete: ${path} is missing`);
    });
    await pipeline(content, createWriteStream(target, { flags: 'wx', mode: PRIVATE_FILE }));
  };
  await receive(MANIFEST);
  await eachAtOnce(pathsOf(await readManifest(folder)), FILES_AT_ONCE, receive);
}

export const isSealed = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, MANIFEST + SEALED)).catch(() => null)) !== null;
