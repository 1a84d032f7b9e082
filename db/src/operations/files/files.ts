import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { StoredFile } from '../../entities/records.ts';
import type { FileMetadata } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

export const BUCKETS = [
  'capitalAccounts',
  'capitalCalls',
  'fundReports',
  'announcements',
  'importerFiles',
  'testFiles',
  'loanTapes',
  'publicFiles',
] as const;
export type Bucket = (typeof BUCKETS)[number];
export const isBucket = (value: string): value is Bucket => (BUCKETS as readonly string[]).includes(value);

/** As the wire has a file, without its signed address. */
export const fileMetadata = (file: StoredFile): FileMetadata => ({
  bucket: file.bucket,
  key: file.key,
  name: file.name,
  size: file.size,
  type: file.type,
  checksum: file.checksum ?? null,
});

/** Letters, digits, dot, dash and underscore: what a key keeps of a name. */
const safeName = (name: string): string => {
  const cleaned = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '');
  return cleaned.slice(-80) || 'file';
};

/** Registers a file that is about to be uploaded, owned by the actor; its key is ours, whatever the name says. */
export async function registerFile(
  session: Session,
  command: {
    bucket: Bucket;
    name: string;
    /** Bytes. */
    size: number;
    type: string;
    directory?: string | null;
    companyId?: string | null;
    managerId?: string | null;
    lpId?: string | null;
  },
): Promise<StoredFile> {
  const { actor } = session;
  const id = newId(session.now);
  const directory = command.directory ? `${command.directory.split('/').filter(Boolean).map(safeName).join('/')}/` : '';
  const file = session.em.create(StoredFile, {
    id,
    bucket: command.bucket,
    key: `${directory}${id}/${safeName(command.name)}`,
    name: command.name.slice(0, 250),
    size: command.size,
    type: command.type,
    managerId: command.managerId ?? (actor.kind === 'user' ? actor.managerId : null),
    companyId: command.companyId ?? (actor.kind === 'user' ? actor.companyId : null),
    lpId: command.lpId ?? null,
    createdByUserId: actor.kind === 'user' ? actor.userId : null,
    createdAt: session.now,
  });
  await session.em.flush();
  return file;
}

/** Marks a file as stored, once its bytes are there and were checked. */
export async function fileStored(
  session: Session,
  command: { bucket: string; key: string; size: number; checksum: string },
): Promise<StoredFile> {
  const file = await findFile(session, command);
  file.size = command.size;
  file.checksum = command.checksum;
  file.status = 'Active';
  await session.em.flush();
  return file;
}

/** A file in the actor's sight, by its key. @throws Refusal notFound */
export async function findFile(session: Session, where: { bucket: string; key: string }): Promise<StoredFile> {
  const file = await session.em.findOne(StoredFile, {
    bucket: where.bucket,
    key: where.key,
    status: { $ne: 'Removed' },
  });
  if (!file) throw new Refusal('notFound');
  return file;
}

/**
 * A file in sight by its id or its key within a bucket: what a body names as `fileUrl` or attachment.
 * @param reference.pending also one whose bytes nobody has looked at yet, for `confirmUpload` to do so
 */
export async function resolveFile(
  session: Session,
  reference: { bucket: Bucket; keyOrId: string; pending?: boolean },
): Promise<StoredFile> {
  const file = await session.em.findOne(StoredFile, {
    bucket: reference.bucket,
    status: reference.pending ? { $ne: 'Removed' } : 'Active',
    $or: [{ key: reference.keyOrId }, { id: reference.keyOrId }],
  });
  if (!file) throw new Refusal('notFound', 'The file is not there, or was not uploaded whole');
  return file;
}

/** A file by its id, in sight. @throws Refusal notFound */
export async function getStoredFile(session: Session, id: string): Promise<StoredFile> {
  const file = await session.em.findOne(StoredFile, { id, status: 'Active' });
  if (!file) throw new Refusal('notFound', 'The file is not there, or was not uploaded whole');
  return file;
}

/** Forgets a file (soft); the caller deletes its bytes. */
export async function removeFile(session: Session, where: { bucket: string; key: string }): Promise<void> {
  const file = await findFile(session, where);
  file.status = 'Removed';
  await session.em.flush();
}

/**
 * Forgets a file that was announced before `before` and whose bytes never came, or were never looked at. Gives its key, whose bytes the
 * caller deletes within the same transaction; null where there is none. For the sweeper, as the system.
 */
export async function forgetAbandonedUpload(
  session: Session,
  command: { before: Date },
): Promise<{ bucket: string; key: string } | null> {
  const [file] = await session.query<{ bucket: string; key: string }>(
    `update files set status = 'Removed' where id = (
       select id from files where status = 'Pending' and created_at < $1 order by id limit 1 for update skip locked
     ) returning bucket, key`,
    [command.before],
  );
  return file ?? null;
}
