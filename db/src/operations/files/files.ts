import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { FILE_TRANSITIONS } from '@tapeline/domain/files/states.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

/** A file as the API returns it, without its signed address. */
export const fileMetadata = (file: StoredFile): FileMetadata => ({
  ...pick(file, 'bucket', 'key', 'name', 'size', 'type'),
  checksum: file.checksum ?? null,
});

/** The characters of a name that a key keeps: letters, digits, dot, dash and underscore. */
const safeName = (name: string): string => {
  const cleaned = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '');
  return cleaned.slice(-80) || 'file';
};

/**
 * Registers a file that is about to be uploaded, owned by the actor. The server chooses its key, whatever the name is.
 */
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

/** Marks a file as stored, once its bytes have been uploaded and checked. */
export async function fileStored(
  session: Session,
  command: { bucket: string; key: string; size: number; checksum: string },
): Promise<StoredFile> {
  const file = await findFile(session, command);
  file.size = command.size;
  file.checksum = command.checksum;
  file.status = FILE_TRANSITIONS.enter(file.status, 'Active');
  await session.em.flush();
  return file;
}

/** A file that the actor can see, by its key. @throws Refusal notFound */
export async function findFile(session: Session, where: { bucket: string; key: string }): Promise<StoredFile> {
  const file = await session.em.findOne(StoredFile, {
    bucket: where.bucket,
    key: where.key,
    status: { $ne: 'Removed' },
  });
  if (!file) throw new Refusal('notFound');
  return file;
}

/** A file that the actor can see, locked until the transaction ends. @throws Refusal notFound */
export async function lockFile(session: Session, where: { bucket: string; key: string }): Promise<StoredFile> {
  await session.query('select 1 from files where bucket = $1 and key = $2 for update', [where.bucket, where.key]);
  const file = await session.em.findOne(
    StoredFile,
    { bucket: where.bucket, key: where.key, status: { $ne: 'Removed' } },
    { refresh: true },
  );
  if (!file) throw new Refusal('notFound');
  return file;
}

const INCOMPLETE = 'The file does not exist, or its upload is incomplete';

/** A visible file by its id or its key within a bucket. */
export async function resolveFile(
  session: Session,
  reference: { bucket: Bucket; keyOrId: string },
): Promise<StoredFile> {
  const file = await session.em.findOne(StoredFile, {
    bucket: reference.bucket,
    status: 'Active',
    $or: [{ key: reference.keyOrId }, { id: reference.keyOrId }],
  });
  if (!file) throw new Refusal('notFound', INCOMPLETE);
  return file;
}

/**
 * The files that a body refers to in `fileUrl`, `fileMetadata` or attachments, by their key and by their id. Whatever
 * refers to a file goes through here, because files that were sent straight to the object storage are checked now. Files
 * that the actor cannot see are not among them.
 * @throws Refusal badRequest if a file has not arrived or is not what it was declared as
 */
export async function uploadedFiles(
  session: Session,
  { bucket, keysOrIds }: { bucket: Bucket; keysOrIds: readonly string[] },
): Promise<ReadonlyMap<string, StoredFile>> {
  if (keysOrIds.length === 0) return new Map();
  const named = { $in: [...new Set(keysOrIds)] };
  const files = await session.em.find(StoredFile, {
    bucket,
    status: { $ne: 'Removed' },
    $or: [{ key: named }, { id: named }],
  });
  const uploaded = new Map<string, StoredFile>();
  for (const file of files) {
    const completed = file.status === 'Active' ? file : await session.completeUpload(file);
    if (completed.status === 'Active') uploaded.set(file.key, completed).set(file.id, completed);
  }
  return uploaded;
}

/** One of `uploadedFiles`. @throws Refusal notFound; badRequest as `uploadedFiles` */
export async function uploadedFile(
  session: Session,
  { bucket, keyOrId }: { bucket: Bucket; keyOrId: string },
): Promise<StoredFile> {
  const file = (await uploadedFiles(session, { bucket, keysOrIds: [keyOrId] })).get(keyOrId);
  if (!file) throw new Refusal('notFound', INCOMPLETE);
  return file;
}

/**
 * The file that a body names in its field `document`; null if it names none. The users of the company, to whose document
 * it belongs from now on, see it with that document.
 * @throws Refusal badRequest (flag on `document`) if it is no uploaded file
 */
export async function namedDocument(
  session: Session,
  { bucket, document, companyId }: { bucket: Bucket; document?: string | null | undefined; companyId: string },
): Promise<StoredFile | null> {
  if (!document) return null;
  const file = (await uploadedFiles(session, { bucket, keysOrIds: [document] })).get(document);
  if (!file) throw new Refusal('badRequest', undefined, { flags: { document: 'is not an uploaded file' } });
  await session.query('update files set company_id = $2 where id = $1 and company_id is null', [file.id, companyId]);
  return file;
}

/** A file that the actor can see, by its id. @throws Refusal notFound */
export async function getStoredFile(session: Session, id: string): Promise<StoredFile> {
  const file = await session.em.findOne(StoredFile, { id, status: 'Active' });
  if (!file) throw new Refusal('notFound', INCOMPLETE);
  return file;
}

/** The stored files with these ids that the actor can see, in this order. */
export async function filesByIds(session: Session, ids: readonly string[]): Promise<StoredFile[]> {
  const found = await session.em.find(StoredFile, { id: { $in: [...ids] }, status: 'Active' });
  const byId = new Map(found.map((file) => [file.id, file]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Removes a file (soft delete). Its bytes are recorded as dropped; the sweep deletes them later. */
export async function removeFile(session: Session, where: { bucket: string; key: string }): Promise<void> {
  const file = await findFile(session, where);
  FILE_TRANSITIONS.require(file.status, 'Removed');
  file.status = 'Removed';
  await session.em.flush();
}

/**
 * Removes files that were registered before `before` and whose upload was never completed; their bytes count as dropped
 * from then on. Called by the sweeper, as the system actor.
 * @returns the keys of their objects
 */
export async function dropAbandonedUploads(session: Session, command: { before: Date }): Promise<string[]> {
  const rows = await session.query<{ key: string }>(
    `update files set status = 'Removed' where id in (
       select id from files where status = 'Pending' and created_at < $1 order by id for update skip locked
     ) returning bucket || '/' || key as key`,
    [command.before],
  );
  return rows.map(({ key }) => key);
}

/** Held shared by whoever refers to an image, and alone while unused images are removed. */
const IMAGES_LOCK = 'images';

/** Until the transaction ends, no image that it refers to is removed as unused. */
export const keepImages = (session: Session) =>
  session.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [IMAGES_LOCK]);

/**
 * Removes images that were registered before `before` and that no entity refers to: replaced and removed logos, and
 * those of a form that was never saved. Called by the sweeper, as the system actor.
 * @returns the keys of their objects
 */
export async function removeUnusedImages(session: Session, command: { before: Date }): Promise<string[]> {
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [IMAGES_LOCK]);
  const rows = await session.query<{ key: string }>(
    `with used as (
       select business ->> 'logo' as image from entities union select business ->> 'icon' from entities
     )
     update files f set status = 'Removed'
     where f.bucket = 'publicFiles' and f.status = 'Active' and f.created_at < $1
       and not exists (select from used where image = f.key) and not exists (select from used where image = f.id)
     returning f.bucket || '/' || f.key as key`,
    [command.before],
  );
  return rows.map(({ key }) => key);
}
