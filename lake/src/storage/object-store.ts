import type { Readable } from 'node:stream';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { missingObjects } from '@tapeline/telemetry/metrics.ts';

export const SIGNED_LIFETIME_MS = 15 * 60_000;

export interface ObjectHead {
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the content does. */
  readonly etag: string;
}

export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When it was written last. */
  readonly storedAt: Date;
}

export interface StoredObject {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, 64 hex digits. */
  readonly checksum: string;
}

/** What a signed address allows: one method on one object. */
export interface SignedGrant {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Bytes that an upload must have; null for a download. */
  readonly size: number | null;
  /** Media type of the upload, or the one that a download is served as. */
  readonly type: string;
  /** The file name for a download; null for an upload. */
  readonly name: string | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Objects by key: bytes that are written once, whole or not at all. Keys are `<bucket>/<path>` or `lake/<path>`. */
export interface ObjectStore {
  readonly kind: 'embedded' | 's3';
  /** Where the objects are, as text for operators. */
  readonly place: string;
  /** Writes an object, atomically replacing one with the same key. A stream that fails leaves nothing behind. */
  putStream(key: string, content: Readable, options?: { type?: string }): Promise<StoredObject>;
  /** Writes an object from a local file, which it may move away. */
  putFile(key: string, path: string, options?: { type?: string }): Promise<StoredObject>;
  /** @throws Refusal, see `missingObject` */
  getStream(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Null if there is no such object. */
  head(key: string): Promise<ObjectHead | null>;
  /** Writes a small object if there is none with this key; returns whether it did. */
  putOnce(key: string, content: string): Promise<boolean>;
  /** Changes an object's key, replacing an object that has it; false if there is no such object. */
  move(from: string, to: string): Promise<boolean>;
  /** Deletes an object, if it exists. */
  delete(key: string): Promise<void>;
  /** Every object whose key begins with the prefix, ordered by key. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** A local file with the object's content, which must not be written to. @throws Refusal, see `missingObject` */
  localPath(key: string): Promise<string>;
  /**
   * An address that accepts a PUT of exactly these bytes. It writes to the object's upload key, never to the object
   * itself.
   */
  signUpload(upload: { key: string; size: number; type: string; now: Date }): Promise<string>;
  /** An address that serves the object, to be saved as `name`. @throws Refusal, see `missingObject` */
  signDownload(download: { key: string; name: string; type: string; now: Date }): Promise<string>;
  /**
   * What an address of our own allows (embedded store).
   * @throws Refusal forbidden if it is forged or expired, for another method, or not served by us
   */
  verifySigned(token: string, call: { method: string; now: Date }): SignedGrant;
  /** Checks that the store answers. @throws Refusal serverError if retrying cannot help: wrong keys, no such bucket */
  ping(): Promise<void>;
  /** Removes partial files of killed processes, and local copies that were not used for long; returns how many. */
  tidy(now: Date): Promise<number>;
  /** Removes the parts of objects with this prefix whose writers were killed; returns of how many. `tidy` does so for all. */
  giveUpUploads(prefix: string, now: Date): Promise<number>;
  close(): Promise<void>;
}

/** Flag of the refusal for an object that is gone. */
const MISSING = 'object';

/**
 * The refusal, a serverError, for an object that should be there and is not. It is counted here, and logged as every error of
 * the server.
 */
export function missingObject(key: string): Refusal {
  missingObjects.add(1, { kind: key.split('/')[0] ?? '' });
  return new Refusal(
    'serverError',
    `A stored file is missing: ${key}. Trying again does not help. Ask your administrator to restore it from a backup. If it belongs to a loan tape, you can also process the tape again from its file.`,
    { flags: { [MISSING]: 'is missing in the object storage' } },
  );
}

export const isMissingObject = (error: unknown): boolean => isRefusal(error) && error.flags?.[MISSING] !== undefined;

export const objectKey = (bucket: string, key: string): string => `${bucket}/${key}`;

/** Prefix of uploaded bytes that have not been checked yet: no row of the database ever refers to them. */
export const UPLOADS = 'uploads/';
/** The key that an upload of the object is written to; it moves to the object's own key once it is checked. */
export const uploadKeyOf = (key: string): string => `${UPLOADS}${key}`;
/** An upload that was not used for this long is deleted. */
export const UPLOAD_REST_MS = 24 * 3_600_000;

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/**
 * Rejects every key that could refer to anything but an object: no leading dots, no empty segment, no special
 * characters.
 */
export function checkKey(key: string): string {
  const segments = key.split('/');
  if (key.length > 700 || segments.length < 2 || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new Refusal('badRequest', 'This is not a valid file key', { flags: { key: 'is not a valid file key' } });
  }
  return key;
}

/** Deletes everything under a prefix; returns the number of objects. */
export async function deletePrefix(store: ObjectStore, prefix: string): Promise<number> {
  if (!prefix.endsWith('/') || prefix.length < 2) throw new Error(`Not a prefix to delete: ${prefix}`);
  let deleted = 0;
  for await (const { key } of store.list(prefix)) {
    await store.delete(key);
    deleted += 1;
  }
  return deleted;
}

/**
 * Local files with the objects' contents, in the order of the keys, which must not be written to.
 * @throws Refusal, see `missingObject`
 */
export const localPaths = (store: Pick<ObjectStore, 'localPath'>, keys: readonly string[]): Promise<string[]> =>
  Promise.all(keys.map((key) => store.localPath(key)));
