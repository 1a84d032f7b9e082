import type { Readable } from 'node:stream';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/** Signed addresses last this long. */
export const SIGNED_LIFETIME_MS = 15 * 60_000;

export interface ObjectHead {
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the content does. */
  readonly etag: string;
}

export interface StoredObject {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, 64 hex digits. */
  readonly checksum: string;
}

/** What one signed address allows: one method on one object. */
export interface SignedGrant {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Bytes that an upload must have; null for a download. */
  readonly size: number | null;
  /** Media type: that of the upload, or the one a download is served as. */
  readonly type: string;
  /** The file name a download is saved under; null for an upload. */
  readonly name: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Objects by key: bytes that are written once, whole or not at all. Keys are `<bucket>/<path>` or `lake/<path>`. */
export interface ObjectStore {
  readonly kind: 'embedded' | 's3';
  /** Writes an object, replacing one of the same key in one step; nothing is seen of a stream that fails. */
  putStream(key: string, content: Readable, options?: { type?: string }): Promise<StoredObject>;
  /** Writes an object from a local file, which may be moved away by it. */
  putFile(key: string, path: string, options?: { type?: string }): Promise<StoredObject>;
  /** @throws Refusal notFound */
  getStream(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Null where there is no such object. */
  head(key: string): Promise<ObjectHead | null>;
  /** Deletes an object; quietly where there is none. */
  delete(key: string): Promise<void>;
  /** Every object whose key begins so, in the order of keys. */
  list(prefix: string): AsyncIterable<{ key: string; size: number }>;
  /** A local file with the object's content, to be read and never written. @throws Refusal notFound */
  localPath(key: string): Promise<string>;
  /** An address that takes one PUT of exactly these bytes. */
  signUpload(upload: { key: string; size: number; type: string; now: Date }): Promise<string>;
  /** An address that gives the object, saved under `name`. */
  signDownload(download: { key: string; name: string; type: string; now: Date }): Promise<string>;
  /**
   * What an address of our own allows (embedded store).
   * @throws Refusal forbidden for one that is forged, expired, of another method, or not ours to serve
   */
  verifySigned(token: string, call: { method: string; now: Date }): SignedGrant;
  /** Whether the store answers. @throws Refusal serverError where it never will: wrong keys, no such bucket */
  ping(): Promise<void>;
  /** Removes what killed processes left half written, and local copies that nobody used for long; gives how many. */
  tidy(now: Date): Promise<number>;
  close(): Promise<void>;
}

export const objectKey = (bucket: string, key: string): string => `${bucket}/${key}`;

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** Refuses every key that could name anything but an object: no dots at the front, no empty part, no odd character. */
export function checkKey(key: string): string {
  const segments = key.split('/');
  if (key.length > 700 || segments.length < 2 || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Refusal('badRequest', 'This is not the key of a file', { flags: { key: 'is not the key of a file' } });
  }
  return key;
}

/** Deletes everything under a prefix; gives how many objects went. */
export async function deletePrefix(store: ObjectStore, prefix: string): Promise<number> {
  if (!prefix.endsWith('/') || prefix.length < 2) throw new Error(`Not a prefix to delete: ${prefix}`);
  let deleted = 0;
  for await (const { key } of store.list(prefix)) {
    await store.delete(key);
    deleted += 1;
  }
  return deleted;
}

/** Local files with the objects' contents, in the order of the keys, to be read and never written. @throws Refusal notFound */
export const localPaths = (store: Pick<ObjectStore, 'localPath'>, keys: readonly string[]): Promise<string[]> =>
  Promise.all(keys.map((key) => store.localPath(key)));
