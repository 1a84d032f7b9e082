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

/** Names of encrypted files end with this. */
const SEALED = '.sealed';
const FILES_AT_ONCE = 4;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Where backups are stored, each under its name. */
export interface BackupPlace {
  /** As text for operators. */
  readonly label: string;
  /** The names of the complete backups, sorted. */
  list(): Promise<string[]>;
  /** Whether nothing is stored under a name: no backup, no part of one, and nothing else. */
  isFree(name: string): Promise<boolean>;
  put(path: string, content: Readable): Promise<void>;
  /** @throws Refusal, see `missingObject` */
  get(path: string): Promise<Readable>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Backups as folders of a folder. */
export function folderPlace(folder: string): BackupPlace {
  const root = resolve(folder);
  return {
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
    async close() {},
  };
}

const BUCKET_FOLDER = 'backups/';

/** Backups in a bucket. */
export function bucketPlace(objects: ObjectStore): BackupPlace {
  return {
    label: objects.place,
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
    close: () => objects.close(),
  };
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

/**
 * Encrypts a backup into a place. The manifest comes last, so that an interrupted one is no backup; what it has stored is
 * removed if it fails.
 * @param folder a complete backup that is not encrypted
 */
export async function storeBackup(
  folder: string,
  { place, name, key }: { place: BackupPlace; name: string; key: Buffer },
): Promise<void> {
  const manifest = await readManifest(folder);
  // What is there already must not be removed if this fails.
  if (!(await place.isFree(name)))
    throw new Refusal('badRequest', `${name} in ${place.label} is not empty: choose another name for the backup`);
  const send = async (path: string) => {
    const content = createReadStream(join(folder, path));
    const sealed = seal(key, path);
    // The place reads what is sealed; an error of the file must reach it.
    content.once('error', (error) => sealed.destroy(error));
    await place.put(`${name}/${path}${SEALED}`, content.pipe(sealed));
  };
  try {
    await eachAtOnce(pathsOf(manifest), FILES_AT_ONCE, send);
    await send(MANIFEST);
  } catch (error) {
    await place.remove(name).catch(() => {});
    throw error;
  }
}

/**
 * Opens an encrypted backup into a folder, from which it can be restored.
 * @throws Refusal badRequest if it is damaged or incomplete, or for another key
 */
export async function fetchBackup(
  folder: string,
  { place, name, key }: { place: BackupPlace; name: string; key: Buffer },
): Promise<void> {
  const receive = async (path: string) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
    const content = await place.get(`${name}/${path}${SEALED}`).catch((error) => {
      if (!isMissingObject(error)) throw error;
      throw new Refusal('badRequest', `The backup ${name} in ${place.label} is incomplete: ${path} is missing`);
    });
    await pipeline(content, open(key, path), createWriteStream(target, { flags: 'wx', mode: PRIVATE_FILE }));
  };
  await receive(MANIFEST);
  await eachAtOnce(pathsOf(await readManifest(folder)), FILES_AT_ONCE, receive);
}

/** Whether a folder is an encrypted backup. */
export const isSealed = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, MANIFEST + SEALED)).catch(() => null)) !== null;
