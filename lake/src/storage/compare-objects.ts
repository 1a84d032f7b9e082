import { createHash } from 'node:crypto';
import {
  comparisonPlace,
  type FindingKind,
  type FoundObject,
  type FoundObjects,
  forgetFindings,
  keepComparisonPlace,
  listFindings,
  recordFindings,
} from '@tapeline/db/operations/storage/object-findings.ts';
import { FIRST_PLACE, type Reference, referencesAfter } from '@tapeline/db/operations/storage/references.ts';
import { type Session, type Store, systemActor } from '@tapeline/db/store.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { comparedObjects } from '@tapeline/telemetry/metrics.ts';
import { claimStorage } from './claim.ts';
import { checkKey, isMissingObject, type ObjectStore } from './object-store.ts';
import { ABANDONED_MS, inBatches, strangersAmong } from './sweep.ts';

const COMPARER = systemActor('Comparison of objects');
/** Rows whose objects are examined at the same time, and after which the place is kept. */
const ROWS_AT_ONCE = 16;
/** Objects that nothing refers to are recorded up to this number: a bucket may have any number of them. */
const MAX_ORPHANS = 10_000;

/** How much of what the database refers to is compared at once. The last rows may exceed it a little. */
export interface Share {
  readonly objects: number;
  /** Of contents that are read to compare their checksums. */
  readonly bytes: number;
}
export const EVERY_OBJECT: Share = { objects: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** What was compared, by the first part of the keys: the bucket of a file, or "lake". */
export interface Compared {
  readonly kind: string;
  /** Objects whose existence and size were compared. */
  objects: number;
  /** Those of them whose content was read and compared with its checksum. */
  contents: number;
}

export interface Comparison {
  readonly compared: readonly Compared[];
  /** All that is recorded now, also by earlier comparisons. */
  readonly findings: readonly FoundObjects[];
}

/**
 * Compares the database with the object storage, and records where they differ. Every object that the database refers to
 * must exist, with the size and checksum that are recorded; a part of a tape, of which neither is, must not be empty. And
 * every object that is older than a day must be known to the database. Orphans are looked for in the whole storage each
 * time, references are compared by shares. Uses little memory, however many objects there are.
 * @param options.share `EVERY_OBJECT` starts from the beginning; any other share continues where the last one ended
 * @throws Refusal serverError if the storage belongs to another instance
 */
export async function compareObjects(
  { store, objects, signal }: { store: Store; objects: ObjectStore; signal?: AbortSignal },
  { share, now = new Date() }: { share: Share; now?: Date },
): Promise<Comparison> {
  await claimStorage(store, objects);
  const inSession = <T>(work: (session: Session) => Promise<T>) => store.as(COMPARER, work, { now });

  const compared = new Map<string, Compared>();
  const count = (key: string, isRead: boolean) => {
    const kind = key.split('/')[0] ?? '';
    const so = compared.get(kind) ?? { kind, objects: 0, contents: 0 };
    so.objects += 1;
    if (isRead) so.contents += 1;
    compared.set(kind, so);
  };

  async function compareReferences(): Promise<void> {
    let { place, beganAt } =
      share === EVERY_OBJECT ? { place: FIRST_PLACE, beganAt: now } : await inSession(comparisonPlace);
    let left = { ...share };
    while (left.objects > 0 && left.bytes > 0) {
      signal?.throwIfAborted();
      const { references, next } = await inSession((session) => referencesAfter(session, place, ROWS_AT_ONCE));
      const examined = await Promise.all(references.map((reference) => examine(objects, reference)));
      const found: FoundObject[] = [];
      const well: string[] = [];
      for (const { key, finding, read } of examined) {
        if (finding) found.push({ key, finding });
        else well.push(key);
        count(key, read !== null);
        comparedObjects.add(1, { finding: finding ?? 'none' });
        left = { objects: left.objects - 1, bytes: left.bytes - (read ?? 0) };
      }
      place = next ?? FIRST_PLACE;
      await inSession(async (session) => {
        await recordFindings(session, { found, well });
        await keepComparisonPlace(session, { place, beganAt });
        if (next === null) await forgetFindings(session, { findings: ['missing', 'size', 'content'], before: beganAt });
      });
      if (next === null) return;
    }
  }

  async function findOrphans(): Promise<void> {
    let orphans = 0;
    for await (const batch of inBatches(objects.list(''))) {
      signal?.throwIfAborted();
      const old = batch.filter(({ key, storedAt }) => key !== '' && now.getTime() - storedAt.getTime() > ABANDONED_MS);
      await inSession(async (session) => {
        const keys = await strangersAmong(
          session,
          old.map(({ key }) => key),
        );
        const found = keys.slice(0, MAX_ORPHANS - orphans).map((key) => ({ key, finding: 'orphan' as const }));
        orphans += found.length;
        await recordFindings(session, { found, well: [] });
      });
    }
    await inSession((session) => forgetFindings(session, { findings: ['orphan'], before: now }));
  }

  await compareReferences();
  await findOrphans();
  return {
    compared: [...compared.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1)),
    findings: await inSession(listFindings),
  };
}

interface Examined {
  readonly key: string;
  /** Null if it is well. */
  readonly finding: Exclude<FindingKind, 'orphan'> | null;
  /** Bytes of the content that were read; null if it was not. */
  readonly read: number | null;
}

async function examine(objects: ObjectStore, { key, size, checksum }: Reference): Promise<Examined> {
  if (!isKey(key)) return { key, finding: 'missing', read: null };
  const head = await objects.head(key);
  if (!head) return { key, finding: 'missing', read: null };
  if (size === null ? head.size === 0 : head.size !== size) return { key, finding: 'size', read: null };
  if (checksum === null) return { key, finding: null, read: null };
  try {
    const isSame = (await checksumOf(objects, key)) === checksum;
    return { key, finding: isSame ? null : 'content', read: head.size };
  } catch (error) {
    if (isMissingObject(error)) return { key, finding: 'missing', read: null };
    throw error;
  }
}

/** A damaged row may have any text as its key: no object has it. */
function isKey(key: string): boolean {
  try {
    checkKey(key);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

async function checksumOf(objects: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await objects.getStream(key)) hash.update(chunk);
  return hash.digest('hex');
}

const RESTORE =
  'Copy the object from the folder `objects` of a backup to the same key; a loan tape can also be processed again from its file.';

/** For each finding, what is so and what to do. Without an orphan, which does no harm and is a note. */
const SENTENCES: Readonly<Record<FindingKind, { one: string; many: string; whatToDo: string }>> = {
  missing: { one: 'stored object is missing', many: 'stored objects are missing', whatToDo: RESTORE },
  size: {
    one: 'stored object has another size than recorded',
    many: 'stored objects have other sizes than recorded',
    whatToDo: RESTORE,
  },
  content: {
    one: 'stored object has changed: its checksum does not match',
    many: 'stored objects have changed: their checksums do not match',
    whatToDo: RESTORE,
  },
  orphan: {
    one: 'object that is older than a day is unknown to the database',
    many: 'objects that are older than a day are unknown to the database',
    whatToDo: 'A later state of the database may need them, so they are left alone. Delete them if none does.',
  },
};

function sentenceOf({ finding, count, examples }: FoundObjects): string {
  const { one, many, whatToDo } = SENTENCES[finding];
  // Anyone who can write to the bucket chooses the keys of orphans.
  const keys = examples.map((key) => key.replaceAll(/[^\x20-\x7e]/g, '?'));
  return `${count} ${count === 1 ? one : many}: ${firstFew(keys, { most: keys.length, total: count })}. ${whatToDo}`;
}

/** Findings as sentences for operators, the first objects of each and what to do. Orphans are notes: they do no harm. */
export const describeFindings = (findings: readonly FoundObjects[]): { problems: string[]; notes: string[] } => ({
  problems: findings.filter(({ finding }) => finding !== 'orphan').map(sentenceOf),
  notes: findings.filter(({ finding }) => finding === 'orphan').map(sentenceOf),
});
