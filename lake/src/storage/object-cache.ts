import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A copy that was used within this time is kept even if the cache is too large: it may be about to be opened. */
export const IN_USE_MS = 3_600_000;
/** A download that has not grown for this long was killed. */
export const HALF_READ_MS = 6 * 3_600_000;
/** Use is recorded at most once in this time. */
const NOTED_EVERY_MS = 60_000;

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
    if (await held(path, object.size)) return path;
    const temporary = `${path}.${randomBytes(6).toString('hex')}`;
    try {
      await pipeline(await fetch(), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }));
      const { size } = await stat(temporary);
      if (size !== object.size) throw new Error(`${object.key} arrived with ${size} bytes instead of ${object.size}`);
      await rename(temporary, path);
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
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (!found?.isFile()) continue;
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
    trim,
  };
}
