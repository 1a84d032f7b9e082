import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { DeliveredFile } from '@tapeline/db/entities/bank-statements.ts';
import {
  importDelivery,
  reasonKey,
  refuseDelivery,
  type StatementDelivery,
  takenDelivery,
  takenKey,
} from '@tapeline/db/operations/cash/statement-files.ts';
import { type Store, systemActor } from '@tapeline/db/store.ts';
import {
  DELIVERY_FOLDERS,
  DELIVERY_REST_MS,
  deliveryPrefix,
  isTemporaryName,
  MAX_DELIVERIES_LEFT,
  MAX_DELIVERIES_LISTED,
  MAX_DELIVERIES_TAKEN,
  typeOfStatement,
} from '@tapeline/domain/cash/statement-delivery.ts';
import { MAX_STATEMENT_BYTES } from '@tapeline/domain/cash/statement-limits.ts';
import { isRefusal, Refusal, reasonOfRefusal } from '@tapeline/domain/errors/refusal.ts';
import { MAX_TAPE_BYTES, tooLarge } from '@tapeline/domain/files/buckets.ts';
import { CONTENT_HEAD_BYTES, checkContent } from './content-check.ts';
import { checkKey, type ObjectHead, type ObjectStore, objectKey } from './object-store.ts';

const BUCKET = 'bankStatements';
const TAKER = systemActor('Statement delivery');
const INCOMING = new RegExp(`^${BUCKET}/[0-9a-f]{24}/${DELIVERY_FOLDERS.incoming}/`);

/** Whether an object is one that a bank delivered, and that waits to be taken or was refused where it is. */
export const isDelivery = (key: string): boolean => INCOMING.test(key);

/** A delivered file, where it waits. */
export interface DeliveredObject {
  readonly key: string;
  readonly delivery: StatementDelivery;
}

export interface Deliveries {
  /**
   * At most `MAX_DELIVERIES_TAKEN` that can be moved, the earliest first, and then those that stay where they are, at most the
   * latest `MAX_DELIVERIES_LEFT`.
   */
  readonly ready: readonly DeliveredObject[];
  /** Whether there are more than are looked at or taken at once. */
  readonly hasMore: boolean;
}

/**
 * Others create files and folders where they deliver to a folder, and may keep them to themselves. That is no fault of the
 * machine, which would keep every other file waiting.
 */
async function permitted<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path === undefined || (code !== 'EACCES' && code !== 'EPERM')) throw error;
    throw new Refusal(
      'serverError',
      `Tapeline may not read and delete ${key}. Give the user of its services these rights to the file and to its folder`,
    );
  }
}

/** What the banks of a manager delivered, and is whole. Nothing is read of it. @throws Refusal serverError as `takeDelivery` */
export const listDeliveries = (
  objects: Pick<ObjectStore, 'list'>,
  managerId: string,
  now = new Date(),
): Promise<Deliveries> => permitted(deliveryPrefix(managerId), () => findDeliveries(objects, managerId, now));

async function findDeliveries(objects: Pick<ObjectStore, 'list'>, managerId: string, now: Date): Promise<Deliveries> {
  const prefix = deliveryPrefix(managerId);
  const movable = new Bounded(MAX_DELIVERIES_TAKEN, byTime);
  // What stays is there at every run, and must not take the place of what came after it.
  const left = new Bounded(MAX_DELIVERIES_LEFT, (one, other) => byTime(other, one));
  let listed = 0;
  // Names are listed in the order of the alphabet: the earliest file may have the last of them.
  for await (const { key, size, storedAt } of objects.list(prefix)) {
    if (listed === MAX_DELIVERIES_LISTED) break;
    listed += 1;
    const parts = key.slice(prefix.length).split('/');
    // Some programs write objects for folders.
    if (parts.at(-1) === '' || parts.some(isTemporaryName)) continue;
    if (Math.abs(now.getTime() - storedAt.getTime()) < DELIVERY_REST_MS) continue;
    const [folder, name] = parts.length === 2 ? [parts[0]!, parts[1]!] : [null, parts.join('/')];
    const one = { key, delivery: { managerId, folder, name, size, writtenAt: storedAt } };
    (unmovable(key, one.delivery) === null ? movable : left).add(one);
  }
  return {
    ready: [...movable.first(), ...left.first().toSorted(byTime)],
    hasMore: listed === MAX_DELIVERIES_LISTED || movable.hasMore,
  };
}

const byTime = (one: DeliveredObject, other: DeliveredObject): number =>
  one.delivery.writtenAt.getTime() - other.delivery.writtenAt.getTime();

/** The first of many by an order, without keeping the others. */
class Bounded {
  readonly #most: number;
  readonly #order: (one: DeliveredObject, other: DeliveredObject) => number;
  #kept: DeliveredObject[] = [];
  hasMore = false;

  constructor(most: number, order: (one: DeliveredObject, other: DeliveredObject) => number) {
    this.#most = most;
    this.#order = order;
  }

  add(one: DeliveredObject): void {
    this.#kept.push(one);
    if (this.#kept.length >= 2 * this.#most) this.#kept = this.first();
  }

  first(): DeliveredObject[] {
    this.hasMore ||= this.#kept.length > this.#most;
    return this.#kept.toSorted(this.#order).slice(0, this.#most);
  }
}

const isKey = (key: string): boolean => {
  try {
    return checkKey(key) === key;
  } catch {
    return false;
  }
};

interface Context {
  readonly store: Store;
  readonly objects: ObjectStore;
}

/** What came of a delivery. `waits`: it changed meanwhile, or is gone, or was refused where it is before. */
export type TakenDelivery = 'imported' | 'refused' | 'waits';

/**
 * Takes a delivered file: imports it as an upload, or refuses it with a reason, and moves it away. Killed in between, it is
 * taken again, and nothing is imported or recorded twice. Throws only what is no fault of the content of the file.
 * @throws Refusal serverError without the rights to the file or its folder
 */
export const takeDelivery = (context: Context, object: DeliveredObject, now = new Date()): Promise<TakenDelivery> =>
  permitted(object.key, () => takeObject(context, object, now));

async function takeObject(context: Context, { key, delivery }: DeliveredObject, now: Date): Promise<TakenDelivery> {
  const { store, objects } = context;
  const inSession = <T>(work: Parameters<typeof store.as<T>>[1]) => store.as(TAKER, work, { now, isKeyed: true });
  const before = await inSession((session) => takenDelivery(session, delivery));
  const stays = unmovable(key, delivery);
  if (stays !== null) {
    if (before) return 'waits';
    const refused = await inSession(async (session) =>
      (await takenDelivery(session, delivery)) ? null : refuseDelivery(session, delivery, stays, null),
    );
    return refused ? 'refused' : 'waits';
  }
  const head = await objects.head(key);
  if (!head || head.size !== delivery.size) return 'waits';
  const taken = before ?? (await takeNew(context, { key, delivery }, now));
  if (!taken) return 'waits';
  await deleteUnchanged(objects, key, head);
  return taken.outcome === 'Imported' ? 'imported' : 'refused';
}

/** Why a file is refused where it is: no key of the storage has its name, or it would take long to move. */
function unmovable(key: string, { name, size }: StatementDelivery): string | null {
  if (name.includes('/')) return 'Deliver files to the prefix itself, or to the folder of a bank account.';
  if (!isKey(key)) {
    return 'The name has characters other than letters, digits, dots, dashes and underscores, or more than 200 of them. Deliver the file under another name.';
  }
  return size > MAX_TAPE_BYTES ? 'The file is larger than 1 GB. Ask the bank for one file a month.' : null;
}

/** Imports or refuses a file. Null if it changed while it was read. */
async function takeNew(context: Context, object: DeliveredObject, now: Date): Promise<DeliveredFile | null> {
  const { store, objects } = context;
  const { key, delivery } = object;
  if (delivery.size > MAX_STATEMENT_BYTES) return refuse(context, object, tooLargeText(), null, now);
  const bytes = await readWhole(objects, key, delivery.size);
  if (!bytes) return null;
  try {
    return await store.as(
      TAKER,
      async (session) => {
        const taken = await takenDelivery(session, delivery);
        if (taken) return taken;
        const type = typeOfStatement(delivery.name);
        checkContent({ bucket: BUCKET, type, head: bytes.subarray(0, CONTENT_HEAD_BYTES) });
        const checksum = createHash('sha256').update(bytes).digest('hex');
        const imported = await importDelivery(session, delivery, { bytes, checksum });
        // Before the commit: what the database refers to is stored. Whoever is killed here stores it again.
        await objects.putStream(objectKey(BUCKET, takenKey(delivery, 'imported')), Readable.from([bytes]), { type });
        return imported;
      },
      { now, isKeyed: true },
    );
  } catch (error) {
    if (!isRefusal(error) || error.code === 'serverError') throw error;
    return refuse(context, object, whatToDo(error, delivery), bytes, now);
  }
}

const tooLargeText = () => reasonOfRefusal(new Refusal('badRequest', tooLarge({ bucket: BUCKET })));

/** The reason of a refusal, with what a person does about it who does not see the form of an upload. */
function whatToDo(error: Refusal, { folder, size }: StatementDelivery): string {
  const why = reasonOfRefusal(error);
  const { file, csvMapping } = error.reasons;
  if (csvMapping) return `${why}, and deliver the file again.`;
  const isOfNoFormat = file?.code === 'statementFile' && file.data.problem === 'format';
  return isOfNoFormat && folder === null && size > 0
    ? `${why} Deliver CSV files to the folder of their bank account, which Import statements names.`
    : why;
}

/** A whole object of this size; null if it has another size now. Never reads more. */
async function readWhole(objects: ObjectStore, key: string, size: number): Promise<Buffer | null> {
  if (size === 0) return Buffer.alloc(0);
  const bytes = await buffer(await objects.getStream(key, { start: 0, end: size }));
  return bytes.length === size ? bytes : null;
}

/** Stores the file and the reason beside it, and records both. @param bytes null for a file that is too large to be read */
async function refuse(
  { store, objects }: Context,
  { key, delivery }: DeliveredObject,
  why: string,
  bytes: Buffer | null,
  now: Date,
): Promise<DeliveredFile> {
  const place = takenKey(delivery, 'refused');
  const type = typeOfStatement(delivery.name);
  const content = bytes ? Readable.from([bytes]) : await objects.getStream(key);
  const file = await objects.putStream(objectKey(BUCKET, place), content, { type });
  const beside = reasonKey(delivery);
  const reason = await objects.putStream(objectKey(BUCKET, beside), Readable.from([Buffer.from(`${why}\n`)]), {
    type: 'text/plain',
  });
  return store.as(
    TAKER,
    async (session) =>
      (await takenDelivery(session, delivery)) ??
      refuseDelivery(session, delivery, why, {
        file: { key: place, ...file },
        reason: { key: beside, ...reason },
      }),
    { now, isKeyed: true },
  );
}

/** A file that was delivered again under the name meanwhile is another one, and stays. */
async function deleteUnchanged(objects: ObjectStore, key: string, { size, etag }: ObjectHead): Promise<void> {
  const now = await objects.head(key);
  if (now && now.size === size && now.etag === etag) await objects.delete(key);
}
