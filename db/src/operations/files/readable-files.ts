import { COLLECTIONS, type RecordedName } from '@tapeline/domain/collections/collections.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { BUCKETS, type Bucket } from '@tapeline/domain/files/buckets.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { type Actor, can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { StoredFile } from '../../entities/records.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { seesContent } from '../importer/import-content.ts';
import { getStoredFile, resolveFile } from './files.ts';

/**
 * A file that belongs to no document yet needs any of these permissions. Images are seen with their entity. Of which
 * document a file is decides otherwise: see `readable`.
 */
const READ_PERMISSIONS: Readonly<Record<Bucket, readonly PermissionKey[] | null>> = {
  capitalAccounts: ['funds/read'],
  capitalCalls: ['contributions/read', 'distributions/read'],
  fundReports: ['funds/read'],
  announcements: ['announcements/read'],
  bankStatements: ['payments/read'],
  importerFiles: ['importer/read'],
  testFiles: [],
  loanTapes: ['assets/read', 'transactionDraw/read'],
  publicFiles: null,
};

/** The buckets whose files the actor may have the permission to read. */
export const readableBuckets = (actor: Actor): Bucket[] =>
  BUCKETS.filter((bucket) => READ_PERMISSIONS[bucket]?.some((permission) => can(actor, permission)) ?? true);

/** An import names its files by key. */
const IMPORTS_OF_FILE = `
  select user_id as "userId", kind from imports where attachments @> jsonb_build_array(jsonb_build_object('key', $1::text))`;

/** What an import reads can name documents that are hidden. Until an import has it, it is for who uploaded it. */
async function isHiddenSheet(session: Session, { key, createdByUserId }: StoredFile): Promise<boolean> {
  const { actor } = session;
  const imports = await session.query<{ userId: string; kind: ImportKind }>(IMPORTS_OF_FILE, [key]);
  if (imports.length > 0) return !imports.some((one) => seesContent(actor, one));
  return actor.kind === 'user' && actor.type !== 'admin' && actor.userId !== createdByUserId;
}

/** The collections of the documents that a file belongs or belonged to, as far as the actor can see them. */
const OWNERS = `
  select resource from document_files() where named in ($1, $2)
  union all select 'bankStatements' from bank_statements where file_id = $1
  union all select 'statementFiles' from statement_files where file_id = $1`;

const findOwners = (session: Session, { id, key }: StoredFile): Promise<{ resource: RecordedName }[]> =>
  session.query(OWNERS, [id, key]);

/**
 * A file that the actor may read: of a document that the actor can see, with the permission to read such documents. A file
 * that belongs to none is for its own people, with a permission of its bucket. Row-level security has decided whose file it
 * is.
 */
async function readable(session: Session, file: StoredFile): Promise<StoredFile> {
  const needed = READ_PERMISSIONS[file.bucket as Bucket];
  if (needed === null) return file;
  if (file.bucket === 'testFiles') {
    if (session.actor.kind === 'user' && session.actor.type !== 'admin') throw new Refusal('notFound');
    return file;
  }
  const owners = () => findOwners(session, file);
  if ((await owners()).some(({ resource }) => can(session.actor, COLLECTIONS[resource].read))) return file;
  if (!needed.some((permission) => can(session.actor, permission))) throw new Refusal('notFound');
  if (file.bucket === 'importerFiles' && (await isHiddenSheet(session, file))) throw new Refusal('notFound');
  if ((await asProgram(session, owners)).length > 0) throw new Refusal('notFound');
  return file;
}

/** A file that the actor may read, by its id. @throws Refusal notFound */
export const readableFile = async (session: Session, id: string): Promise<StoredFile> =>
  readable(session, await getStoredFile(session, id));

/** A file that the actor may read, by its id or its key within a bucket. @throws Refusal notFound */
export const readableFileOf = async (
  session: Session,
  reference: { bucket: Bucket; keyOrId: string },
): Promise<StoredFile> => readable(session, await resolveFile(session, reference));

/**
 * The id of the file that a tape was created from, for an actor who sees the tape and so may read it. Null if it was
 * removed: those of tapes that were replaced long ago are.
 */
export async function fileIdOfTape(session: ReadSession, key: string): Promise<string | null> {
  const [file] = await session.query<{ id: string }>(
    `select id from files where bucket = 'loanTapes' and key = $1 and status = 'Active'`,
    [key],
    { kept: true },
  );
  return file?.id ?? null;
}
