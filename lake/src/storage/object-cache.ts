import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readlink, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { IncompleteFile } from '@tapeline/sheets/faults.ts';
import { cacheReads } from '@tapeline/telemetry/metrics.ts';

/** A copy that was used within this time is kept even if the cache is too large: it may be about to be opened. */
export const IN_USE_MS = 3_600_000;
/** A download that has not grown for this long was killed. */
export const HALF_READ_MS = 6 * 3_600_000;
/** Use is recorded at most once in this time. */
const NOTED_EVERY_MS = 60_000;

/** The ending of links to the latest copy of an object. */
const LATEST = '.latest';

/** One version of one remote object. */
export interface CachedObject {
  readonly key: string;
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
}

/** Local copies of remote objects by key and content. Processes of one machine may share the folder. */
export interface ObjectCache {
  /** Path of a complete copy, downloaded if there is none. Concurrent requests download it once. */
  path(object: CachedObject, fetch: () => Promise<Readable>): Promise<string>;
  /** Path of the copy of an object that was downloaded last, for when nobody can say which version is current. */
  latest(key: string): Promise<string | null>;
  /** Bytes of all copies, as of the last trim, with what was downloaded since. */
  bytes(): number;
  /**
   * Deletes the least recently used copies until the cache is within its limit, and the remains of killed downloads.
   */
  trim(now?: Date): Promise<{ files: number; bytes: number }>;
}

/** @param settings.maxBytes limit of the cache, exceeded only by copies in use */
export async function openObjectCache(settings: { folder: string; maxBytes: number }): Promise<ObjectCache> {
  const { folder, maxBytes } = settings;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A folder of an earlier version may be readable by others.
  await chmod(folder, 0o700);
  const coming = new Map<string, Promise<string>>();
  let fetchedBytes = 0;
  let trimmedBytes = 0;
  const linkOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex')}${LATEST}`);

  /** Points the object's link at its latest copy. Without it, the copy is only unknown during an outage. */
  async function link(key: string, path: string): Promise<void> {
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await symlink(basename(path), temporary);
      await rename(temporary, linkOf(key));
    } catch {
      await rm(temporary, { force: true });
    }
  }

  async function held(path: string, size: number): Promise<boolean> {
    const found = await stat(path).catch(() => null);
    if (found?.size !== size) return false;
    const now = new Date();
    if (now.getTime() - found.mtimeMs < NOTED_EVERY_MS) return true;
    // Another process may just have deleted it.
    return utimes(path, now, now).then(
      () => true,
      () => false,
    );
  }

  async function fill(path: string, object: CachedObject, fetch: () => Promise<Readable>): Promise<string> {
    const isHeld = await held(path, object.size);
    cacheReads.add(1, { cache: 'objects', result: isHeld ? 'hit' : 'miss' });
    if (isHeld) return path;
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await pipeline(await fetch(), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
      const { size } = await stat(temporary);
      if (size !== object.size)
        throw new IncompleteFile(`${object.key} arrived with ${size} bytes instead of ${object.size}`);
      await rename(temporary, path);
      await link(object.key, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    fetchedBytes += object.size;
    // Between the regular trims, the cache exceeds its limit by at most a tenth.
    if (fetchedBytes > maxBytes / 10) await trim();
    return path;
  }

  async function trim(now = new Date()): Promise<{ files: number; bytes: number }> {
    fetchedBytes = 0;
    const copies: { path: string; size: number; usedAt: number }[] = [];
    let files = 0;
    let bytes = 0;
    const remove = async (path: string, size: number) => {
      await rm(path, { force: true });
      files += 1;
      bytes += size;
    };
    const names = await readdir(folder);
    for (const name of names) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (!found?.isFile() || name.endsWith(LATEST)) continue;
      const restedMs = now.getTime() - found.mtimeMs;
      if (!name.includes('.')) copies.push({ path, size: found.size, usedAt: found.mtimeMs });
      else if (restedMs > HALF_READ_MS) await remove(path, found.size);
    }
    let total = copies.reduce((sum, copy) => sum + copy.size, 0);
    for (const { path, size, usedAt } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= maxBytes || now.getTime() - usedAt < IN_USE_MS) break;
      await remove(path, size);
      total -= size;
    }
    trimmedBytes = total;
    for (const name of names) {
      if (!name.endsWith(LATEST)) continue;
      const link = join(folder, name);
      const isDangling = await stat(link).then(
        () => false,
        () => true,
      );
      if (isDangling) await rm(link, { force: true });
    }
    return { files, bytes };
  }

  return {
    path(object, fetch) {
      const { key, etag, size } = object;
      const path = join(folder, createHash('sha256').update(`${key}\n${etag}\n${size}`).digest('hex'));
      const already = coming.get(path);
      if (already) return already;
      const filling = fill(path, object, fetch).finally(() => coming.delete(path));
      coming.set(path, filling);
      return filling;
    },
    async latest(key) {
      const name = await readlink(linkOf(key)).catch(() => null);
      if (name === null) return null;
      const path = join(folder, basename(name));
      const found = await stat(path).catch(() => null);
      return found && (await held(path, found.size)) ? path : null;
    },
    bytes: () => trimmedBytes + fetchedBytes,
    trim,
  };
}
