import { COLLECTIONS, type RecordedName } from '@tapeline/domain/collections/collections.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { BUCKETS, type Bucket } from '@tapeline/domain/files/buckets.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { type Actor, can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import type { StoredFile } from '../../entities/records.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { OWNERS_OF_FILES } from '../activities/activities.ts';
import { seesContent } from '../importer/import-content.ts';
import { getStoredFile, resolveFile } from './files.ts';

/**
 * Any of these permissions shows documents that files of a bucket belong to. Images are seen with their entity. Of which
 * document a file is decides which of the permissions it needs: see `readable`.
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

/** Tapes and draws name their files by key. */
const OWNERS_OF_TAPE_FILES = `
  select 'loanTapes' as resource from loan_tapes where attachment ->> 'key' = $1
    or other_attachments @> jsonb_build_array(jsonb_build_object('key', $1::text))
  union all select 'draws' from draws where attachments @> jsonb_build_array(jsonb_build_object('key', $1::text))`;

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

const OWNERS_OF_STATEMENTS = `
  select 'bankStatements' as resource from bank_statements where file_id = $1
  union all select 'statementFiles' from statement_files where file_id = $1`;

/** A bank letter belongs to the investor or the borrower that asked for the account. */
const OWNERS_OF_LETTERS = `
  select case when investor_lp_id is null then 'companies' else 'LPs' end, coalesce(investor_lp_id, company_id), status
  from account_requests where letter_id = any ($1)`;

/** The collections of the documents that a file belongs or belonged to, as far as the actor can see them. */
const findOwners = (session: Session, { bucket, id, key }: StoredFile): Promise<{ resource: RecordedName }[]> =>
  bucket === 'loanTapes'
    ? session.query(OWNERS_OF_TAPE_FILES, [key])
    : bucket === 'bankStatements'
      ? session.query(OWNERS_OF_STATEMENTS, [id])
      : session.query(`${OWNERS_OF_FILES} union all ${OWNERS_OF_LETTERS}`, [[id]]);

/**
 * A file that the actor may read: whoever can see a document that it belongs to and may read such documents, and its own
 * people while it belongs to none. Row-level security has decided whose file it is.
 */
async function readable(session: Session, file: StoredFile): Promise<StoredFile> {
  const needed = READ_PERMISSIONS[file.bucket as Bucket];
  if (needed === null) return file;
  if (file.bucket === 'testFiles') {
    if (session.actor.kind === 'user' && session.actor.type !== 'admin') throw new Refusal('notFound');
    return file;
  }
  if (!needed.some((permission) => can(session.actor, permission))) throw new Refusal('notFound');
  if (file.bucket === 'importerFiles' && (await isHiddenSheet(session, file))) throw new Refusal('notFound');
  const owners = () => findOwners(session, file);
  const isReadable = (await owners()).some(({ resource }) => can(session.actor, COLLECTIONS[resource].read));
  if (!isReadable && (await asProgram(session, owners)).length > 0) throw new Refusal('notFound');
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
