import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, link, mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DELIVERY_FOLDERS } from '@tapeline/domain/cash/statement-delivery.ts';
import { createMeter } from './meter.ts';
import {
  checkKey,
  type ListedObject,
  missingObject,
  type ObjectStore,
  type StoredObject,
  UPLOAD_REST_MS,
  UPLOADS,
} from './object-store.ts';
import { openGrant, sealGrant } from './signed-grant.ts';

const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The path below the product's address at which the web app serves signed addresses of this store. */
export const SIGNED_PATH = '/files/objects/';
/** A partial file that has not grown for this long is abandoned: its sender is gone, or the process was killed. */
export const HALF_WRITTEN_MS = 6 * 3_600_000;

/** Uploaded files must not be readable by other users of the machine. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Objects as files of the home folder. A file appears whole, by a rename; partial files are kept in a separate folder.
 */
export async function openFileStore(settings: {
  home: string;
  appSecret: string;
  publicUrl: string;
}): Promise<ObjectStore> {
  const root = join(settings.home, 'objects');
  const incoming = join(settings.home, 'incoming');
  for (const folder of [root, incoming]) {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    // A folder of an earlier version may be readable by others.
    await chmod(folder, PRIVATE_FOLDER);
  }
  const pathOf = (key: string) => join(root, ...checkKey(key).split('/'));

  async function place(temporary: string, key: string): Promise<void> {
    const target = pathOf(key);
    // The folder may be removed between the two steps; one retry is enough.
    for (let tries = 0; ; tries++) {
      await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
      try {
        return await rename(temporary, target);
      } catch (error) {
        if (!isMissing(error) || tries >= 3) throw error;
      }
    }
  }

  /** Removes the folders above the path that are now empty, up to the first that is not, or that others deliver to. */
  async function removeEmptyFolders(path: string): Promise<void> {
    for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
      if (relative(root, folder).split(sep)[2] === DELIVERY_FOLDERS.incoming) return;
      try {
        await rmdir(folder);
      } catch {
        return;
      }
    }
  }

  async function putStream(key: string, content: Readable): Promise<StoredObject> {
    checkKey(key);
    const temporary = join(incoming, randomBytes(12).toString('hex'));
    const { through, measured } = createMeter();
    try {
      await pipeline(content, through, createWriteStream(temporary, { flags: 'wx', mode: PRIVATE_FILE }));
      const handle = await open(temporary, 'r+');
      await handle.sync();
      await handle.close();
      await place(temporary, key);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return measured();
  }

  async function* walk(folder: string, key: string): AsyncIterable<ListedObject> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const entryKey = key === '' ? entry.name : `${key}/${entry.name}`;
      if (entry.isDirectory()) yield* walk(path, entryKey);
      // Others write to folders of deliveries: a link could lead to any file of this machine.
      else if (entry.isFile()) {
        const found = await stat(path).catch(() => null);
        if (found) yield { key: entryKey, size: found.size, storedAt: found.mtime };
      }
    }
  }

  const addressOf = (token: string) => `${settings.publicUrl}${SIGNED_PATH}${token}`;

  const store: ObjectStore = {
    kind: 'embedded',
    place: root,
    putStream,
    putFile: (key, path) => putStream(key, createReadStream(path)),
    async getStream(key, range) {
      const path = pathOf(key);
      try {
        const handle = await open(path, 'r');
        if (!(await handle.stat()).isFile()) {
          await handle.close();
          throw missingObject(key);
        }
        return handle.createReadStream(range ?? {});
      } catch (error) {
        if (isMissing(error)) throw missingObject(key);
        throw error;
      }
    },
    async head(key) {
      const found = await stat(pathOf(key)).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (!found?.isFile()) return null;
      return { size: found.size, etag: `${found.ino}-${found.size}-${Math.trunc(found.mtimeMs)}` };
    },
    async putOnce(key, content) {
      const target = pathOf(key);
      const temporary = join(incoming, randomBytes(12).toString('hex'));
      await writeFile(temporary, content, { flag: 'wx', mode: PRIVATE_FILE });
      try {
        await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
        await link(temporary, target);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(temporary, { force: true });
      }
    },
    async move(from, to) {
      const path = pathOf(from);
      if (!(await store.head(from))) return false;
      await place(path, to);
      await removeEmptyFolders(path);
      return true;
    },
    async delete(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await removeEmptyFolders(path);
    },
    async *list(prefix) {
      // Walks only the folder of the prefix, and compares the keys with the rest of it.
      const folder = prefix.slice(0, Math.max(prefix.lastIndexOf('/'), 0));
      const path = folder === '' ? root : join(root, ...checkKey(`${folder}/any`).split('/').slice(0, -1));
      for await (const object of walk(path, folder)) if (object.key.startsWith(prefix)) yield object;
    },
    async localPath(key) {
      if (!(await store.head(key))) throw missingObject(key);
      return pathOf(key);
    },
    async signUpload({ key, size, type, now }) {
      checkKey(key);
      return addressOf(sealGrant({ method: 'PUT', key, size, type, name: null }, settings.appSecret, now));
    },
    async signDownload({ key, name, type, now }) {
      if (!(await store.head(key))) throw missingObject(key);
      return addressOf(sealGrant({ method: 'GET', key, size: null, type, name }, settings.appSecret, now));
    },
    verifySigned: (token, call) => openGrant(token, settings.appSecret, call),
    async ping() {
      const path = join(incoming, `ping-${randomBytes(6).toString('hex')}`);
      await pipeline(Readable.from([Buffer.alloc(1)]), createWriteStream(path));
      await rm(path, { force: true });
    },
    async tidy(now) {
      let removed = 0;
      for (const name of await readdir(incoming)) {
        const path = join(incoming, name);
        const found = await stat(path).catch(() => null);
        if (!found || now.getTime() - found.mtimeMs <= HALF_WRITTEN_MS) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      for await (const { key } of store.list(UPLOADS)) {
        const found = await stat(pathOf(key)).catch(() => null);
        if (!found || now.getTime() - found.mtimeMs <= UPLOAD_REST_MS) continue;
        await store.delete(key);
        removed += 1;
      }
      return removed;
    },
    // What is being written is in one folder for all objects.
    giveUpUploads: async () => 0,
    async close() {},
  };
  return store;
}
