import { dropAbandonedUploads, removeUnusedImages } from '@tapeline/db/operations/files/files.ts';
import {
  countDropped,
  type Dropped,
  droppedAmong,
  dueForDeletion,
  dueForTrash,
  filesInUse,
  forgetDropped,
  noteTrashed,
  prefixesWithDropped,
  recordDropped,
  trashedAmong,
} from '@tapeline/db/operations/storage/dropped-objects.ts';
import { forgetGeneration, generationUses, listOrphanGenerations } from '@tapeline/db/operations/tapes/generations.ts';
import { type Session, type Store, systemActor } from '@tapeline/db/store.ts';
import { wasOffered, workingPrefixes } from './attempt-objects.ts';
import { claimStorage } from './claim.ts';
import { type ObjectStore, UPLOADS } from './object-store.ts';
import { isDelivery } from './statement-deliveries.ts';

const DAY_MS = 24 * 3_600_000;
/** A dropped object stays in its place for this long, so that a database restored from a recent dump still finds it. */
export const DROPPED_MS = 7 * DAY_MS;
/** It then stays in the trash for this long before it is deleted. */
export const TRASHED_MS = 7 * DAY_MS;
/**
 * A signed address accepts uploads for minutes only: after a day an upload will not be sent or confirmed any more, and
 * a form that an image was uploaded with will not be saved.
 */
export const ABANDONED_MS = DAY_MS;
/** One run moves and deletes at most this share of what is recorded, but at least `LEAST_CAP`. */
const SHARE = 0.1;
export const LEAST_CAP = 20;
/** Rows looked up, or objects moved, in one transaction. */
const LOOK_UP = 500;
const MOVED_AT_ONCE = 50;
const EXAMPLES = 10;

export const capOf = (recorded: number): number => Math.max(LEAST_CAP, Math.ceil(recorded * SHARE));

const SWEEPER = systemActor('Sweeper');
const TRASH = 'trash/';
/** `lake/<tape>/<attempt>/`, the prefix of every object that processing writes. */
const ATTEMPT = /^(?<objectPrefix>lake\/[0-9a-f]{24}\/(?<generationId>[0-9a-f]{24})\/)/;

export interface SweepLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SweepContext {
  readonly store: Store;
  readonly objects: ObjectStore;
  readonly log: SweepLog;
}

/** What a sweep did, or would do. */
export interface ObjectSweep {
  /** Recorded as dropped; each stays in its place for seven days. */
  recorded: Dropped[];
  trashed: Dropped[];
  deleted: Dropped[];
  /** Found in the trash although needed: moved back. */
  putBack: string[];
  /** Objects that this database does not know. They are left alone. */
  unknown: { objects: number; examples: string[] };
  /** Uploads that were declared and never used; their bytes count as dropped. */
  uploads: number;
  /** Logos and icons that no entity refers to; their bytes count as dropped. */
  images: number;
  /** Attempts that were forgotten because their last object is gone. */
  generations: number;
}

/**
 * Removes objects that this database recorded as dropped; nothing else is ever moved or deleted. An object that the
 * database does not know may belong to a later state of it, so it stays.
 * @param options.dryRun changes nothing, and returns what a sweep would do
 * @throws Refusal serverError if the storage belongs to another instance
 */
export async function sweepObjects(
  context: SweepContext,
  { dryRun = false, now = new Date() }: { dryRun?: boolean; now?: Date } = {},
): Promise<ObjectSweep> {
  const { store, objects, log } = context;
  await claimStorage(store, objects);
  const inSession = <T>(work: (session: Session) => Promise<T>) => store.as(SWEEPER, work, { now, rollback: dryRun });
  const before = (ms: number) => new Date(now.getTime() - ms);
  const say = (dropped: Dropped, what: string) => log.info({ ...dropped, dryRun }, what);

  async function putBackNeeded(): Promise<{ putBack: string[]; unknown: string[] }> {
    const putBack: string[] = [];
    const unknown: string[] = [];
    for await (const batch of inBatches(objects.list(TRASH))) {
      const places = batch.map(({ key }) => key.slice(TRASH.length));
      const { needed, trashed } = await inSession(async (session) => ({
        needed: await neededAmong(session, places),
        trashed: new Set(await trashedAmong(session, places)),
      }));
      for (const place of places) {
        if (needed.has(place)) {
          if (!dryRun) {
            if (!(await objects.head(place))) await objects.move(TRASH + place, place);
            await inSession((session) => forgetDropped(session, place));
          }
          log.warn({ key: place, dryRun }, 'an object in the trash is needed: moved back');
          putBack.push(place);
        } else if (!trashed.has(place)) unknown.push(TRASH + place);
      }
    }
    return { putBack, unknown };
  }

  /** Records the stored objects of attempts that are no longer needed, and the working parts of published ones. */
  async function recordOrphans(): Promise<{ recorded: Dropped[]; unknown: string[] }> {
    const recorded: Dropped[] = [];
    const unknown: string[] = [];
    const offered = new Map<string, boolean>();
    /** Not published here, but offered: a later state of the database may have published it. */
    const mayBeWanted = async (objectPrefix: string) => {
      const known = offered.get(objectPrefix) ?? (await wasOffered(objects, { objectPrefix }));
      offered.set(objectPrefix, known);
      return known;
    };
    // Listed before the database is asked, because an attempt is registered before it writes.
    for await (const stored of inBatches(objects.list('lake/'))) {
      const ids = stored.map(({ key }) => ATTEMPT.exec(key)?.groups ?? {});
      await inSession(async (session) => {
        const uses = await generationUses(session, [...new Set(ids.flatMap(({ generationId }) => generationId ?? []))]);
        const dropped: Dropped[] = [];
        for (const [index, { key, size }] of stored.entries()) {
          const { generationId = '', objectPrefix = '' } = ids[index] ?? {};
          const use = uses.get(generationId);
          if (use === undefined || (use === 'neverPublished' && (await mayBeWanted(objectPrefix)))) unknown.push(key);
          else if (use === 'neverPublished' || use === 'replaced')
            dropped.push({ key, size, reason: 'its attempt is not published' });
          else if (use === 'kept' && workingPrefixes({ objectPrefix }).some((prefix) => key.startsWith(prefix)))
            dropped.push({ key, size, reason: 'its tape is processed' });
        }
        const fresh = new Set(await recordDropped(session, dropped));
        recorded.push(...dropped.filter(({ key }) => fresh.has(key)));
      });
    }
    for (const dropped of recorded) say(dropped, 'an object is recorded as dropped');
    return { recorded, unknown };
  }

  async function inCappedBatches(cap: number, work: (session: Session, most: number) => Promise<Dropped[]>) {
    const done: Dropped[] = [];
    while (done.length < cap) {
      const most = dryRun ? cap : Math.min(cap - done.length, MOVED_AT_ONCE);
      const batch = await inSession((session) => work(session, most));
      done.push(...batch);
      if (dryRun || batch.length === 0) break;
    }
    return done;
  }

  const moveToTrash = (cap: number) =>
    inCappedBatches(cap, async (session, most) => {
      const due = await dueForTrash(session, { before: before(DROPPED_MS), most });
      const needed = await neededAmong(
        session,
        due.map(({ key }) => key),
      );
      for (const dropped of due) {
        const { key } = dropped;
        if (needed.has(key)) {
          log.warn({ key, dryRun }, 'an object was recorded as dropped and is needed: it stays');
          await forgetDropped(session, key);
          continue;
        }
        if (!dryRun) {
          const moved = await objects.move(key, TRASH + key);
          // A run that was killed may have moved it already.
          if (moved || (await objects.head(TRASH + key))) await noteTrashed(session, key);
          else await forgetDropped(session, key);
        }
        say(dropped, 'a dropped object is moved to the trash');
      }
      return due;
    });

  const deleteTrash = (cap: number) =>
    inCappedBatches(cap, async (session, most) => {
      const due = await dueForDeletion(session, { before: before(TRASHED_MS), most });
      for (const dropped of due) {
        if (!dryRun) await objects.delete(TRASH + dropped.key);
        await forgetDropped(session, dropped.key);
        say(dropped, 'a dropped object is deleted from the trash');
      }
      return due;
    });

  /**
   * An attempt stays known until nothing of it is left: a writer that was believed dead may have stored something late.
   */
  async function forgetEmptyAttempts(): Promise<number> {
    const orphans = await inSession((session) => listOrphanGenerations(session, { olderThan: before(DROPPED_MS) }));
    let forgotten = 0;
    for (const { generationId, objectPrefix } of orphans) {
      if (await hasAny(objects, objectPrefix)) continue;
      await inSession(async (session) => {
        if ((await prefixesWithDropped(session, [objectPrefix])).length > 0) return;
        await forgetGeneration(session, { generationId });
        forgotten += 1;
      });
    }
    return forgotten;
  }

  const found = await putBackNeeded();
  const uploads = await inSession((session) => dropAbandonedUploads(session, { before: before(ABANDONED_MS) }));
  for (const key of uploads) log.info({ key, dryRun }, 'an upload that was never used is dropped');
  const images = await inSession((session) => removeUnusedImages(session, { before: before(ABANDONED_MS) }));
  for (const key of images) log.info({ key, dryRun }, 'an image that nothing refers to is dropped');
  const { recorded, unknown } = await recordOrphans();
  const { waiting, trashed: inTrash } = await inSession(countDropped);
  const deleted = await deleteTrash(capOf(inTrash));
  const trashed = await moveToTrash(capOf(waiting));
  const generations = await forgetEmptyAttempts();
  const strangers = [...found.unknown, ...unknown];
  const unknownObjects = { objects: strangers.length, examples: strangers.slice(0, EXAMPLES) };
  if (strangers.length > 0) log.warn(unknownObjects, 'objects that this database does not know are left alone');
  return {
    recorded,
    trashed,
    deleted,
    putBack: found.putBack,
    unknown: unknownObjects,
    uploads: uploads.length,
    images: images.length,
    generations,
  };
}

/** Those of the objects that the database refers to. */
async function neededAmong(session: Session, keys: readonly string[]): Promise<Set<string>> {
  const attempts = new Map<string, string>();
  for (const key of keys) {
    const generationId = ATTEMPT.exec(key)?.groups?.generationId;
    if (generationId) attempts.set(key, generationId);
  }
  const uses = await generationUses(session, [...new Set(attempts.values())]);
  const files = await filesInUse(
    session,
    keys.filter((key) => !attempts.has(key)),
  );
  const needed = new Set(files);
  for (const [key, generationId] of attempts) {
    const use = uses.get(generationId);
    const prefix = ATTEMPT.exec(key)?.groups?.objectPrefix ?? '';
    const isWorkingPart = workingPrefixes({ objectPrefix: prefix }).some((working) => key.startsWith(working));
    if (use === 'inWork' || (use === 'kept' && !isWorkingPart)) needed.add(key);
  }
  return needed;
}

/** Where objects are that no row refers to, and that something else removes. */
const TRANSIENT = [TRASH, UPLOADS, 'instance/', 'previews/'];

/**
 * Those of the objects that the database neither refers to nor has recorded as dropped, and that are of no attempt whose
 * objects it drops by itself. Called as the system actor.
 */
export async function strangersAmong(session: Session, listed: readonly string[]): Promise<string[]> {
  const keys = listed.filter((key) => !TRANSIENT.some((prefix) => key.startsWith(prefix)) && !isDelivery(key));
  if (keys.length === 0) return [];
  const known = new Set([...(await neededAmong(session, keys)), ...(await droppedAmong(session, keys))]);
  const left = keys.filter((key) => !known.has(key));
  const attemptOf = (key: string) => ATTEMPT.exec(key)?.groups?.generationId ?? '';
  const uses = await generationUses(session, [...new Set(left.map(attemptOf))]);
  return left.filter((key) => ['neverPublished', undefined].includes(uses.get(attemptOf(key))));
}

async function hasAny(objects: ObjectStore, prefix: string): Promise<boolean> {
  for await (const _ of objects.list(prefix)) return true;
  return false;
}

export async function* inBatches<T>(listed: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const object of listed) {
    batch.push(object);
    if (batch.length < LOOK_UP) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
