import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { instanceId, knownTapes } from '@tapeline/db/operations/storage/instance.ts';
import { type Store, systemActor } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ObjectStore } from './object-store.ts';

const CLAIMANT = systemActor('Object storage');
/** The key of the object that records which instance owns the storage. */
const MARKER = 'instance/marker.json';
/** Flag of the refusal of storage that belongs to another instance. */
export const STRANGE_STORAGE = 'storage';
/** How many objects are inspected to decide whether an unmarked storage is this database's. */
const LOOKED_AT = 1000;

interface Marker {
  /** Id of the instance that owns the storage, as in its database. */
  instance: string;
  claimedAt: string;
}

async function readMarker(objects: ObjectStore): Promise<Marker | null> {
  if (!(await objects.head(MARKER))) return null;
  const content = await text(await objects.getStream(MARKER));
  try {
    return JSON.parse(content) as Marker;
  } catch {
    return { instance: 'unreadable', claimedAt: '' };
  }
}

/** Id of the instance that owns the storage; null if it is not marked. */
export const ownerOfStorage = async (objects: ObjectStore): Promise<string | null> =>
  (await readMarker(objects))?.instance ?? null;

function refuse(objects: ObjectStore, why: string): Refusal {
  return new Refusal(
    'serverError',
    `The object storage ${objects.place} ${why}. Set S3_BUCKET or S3_PREFIX (without S3: TAPELINE_HOME) to a location used only by this instance; ` +
      'or, if the objects belong to this database and nothing else uses them, run "npm run storage:claim" and start again.',
    { flags: { [STRANGE_STORAGE]: 'belongs to another instance' } },
  );
}

/** Whether the storage has tapes, none of which this database knows. */
async function holdsOthersTapes(store: Store, objects: ObjectStore): Promise<boolean> {
  const tapeIds = new Set<string>();
  let seen = 0;
  for await (const { key } of objects.list('lake/')) {
    tapeIds.add(key.split('/')[1] ?? '');
    seen += 1;
    if (seen >= LOOKED_AT) break;
  }
  if (tapeIds.size === 0) return false;
  const known = await store.as(CLAIMANT, (session) => knownTapes(session, [...tapeIds]));
  return known.length === 0;
}

/**
 * Makes sure that the storage is this database's, and marks it if it is not marked yet.
 * @throws Refusal serverError, with what to do, if it belongs to another instance
 */
export async function claimStorage(store: Store, objects: ObjectStore): Promise<void> {
  const instance = await store.as(CLAIMANT, instanceId);
  let marker = await readMarker(objects);
  if (!marker) {
    if (await holdsOthersTapes(store, objects)) {
      throw refuse(objects, 'contains tapes that are not in this database');
    }
    await objects.putOnce(MARKER, content(instance));
    // If two processes start at once, one of them has written it.
    marker = await readMarker(objects);
  }
  if (marker?.instance !== instance) {
    throw refuse(objects, `belongs to another instance (${marker?.instance}; this database is ${instance})`);
  }
}

/** Marks the storage as this database's, whichever instance owned it; returns the former owner. */
export async function takeStorage(store: Store, objects: ObjectStore): Promise<string | null> {
  const instance = await store.as(CLAIMANT, instanceId);
  const before = await readMarker(objects);
  if (before?.instance === instance) return null;
  await objects.putStream(MARKER, Readable.from([content(instance)]), { type: 'application/json' });
  return before?.instance ?? null;
}

const content = (instance: string): string =>
  JSON.stringify({ instance, claimedAt: new Date().toISOString() } satisfies Marker);

/**
 * The same store, which changes nothing and does not answer `ping` until the storage is known to be ours.
 * @param renew to be called from time to time: the next change checks again
 */
export function guardStorage(objects: ObjectStore, claim: () => Promise<void>): ObjectStore & { renew(): void } {
  let claimed: Promise<void> | null = null;
  const ours = (): Promise<void> => {
    claimed ??= claim().catch((error) => {
      claimed = null;
      throw error;
    });
    return claimed;
  };
  return {
    ...objects,
    renew() {
      claimed = null;
    },
    async putStream(key, content, options) {
      await ours();
      return objects.putStream(key, content, options);
    },
    async putFile(key, path, options) {
      await ours();
      return objects.putFile(key, path, options);
    },
    async putOnce(key, content) {
      await ours();
      return objects.putOnce(key, content);
    },
    async delete(key) {
      await ours();
      return objects.delete(key);
    },
    async move(from, to) {
      await ours();
      return objects.move(from, to);
    },
    async signUpload(upload) {
      await ours();
      return objects.signUpload(upload);
    },
    async ping() {
      await objects.ping();
      await ours();
    },
    async tidy(now) {
      await ours();
      return objects.tidy(now);
    },
    async giveUpUploads(prefix, now) {
      await ours();
      return objects.giveUpUploads(prefix, now);
    },
  };
}
