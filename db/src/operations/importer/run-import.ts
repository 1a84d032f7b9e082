import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportInput } from '@tapeline/domain/importer/check.ts';
import { IMPORT_STATUSES, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { readRows } from '@tapeline/domain/importer/read-rows.ts';
import { CANCELLED_IMPORT, IMPORT_TRANSITIONS } from '@tapeline/domain/importer/states.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { Import } from '../../entities/imports.ts';
import { type Session, type Store, systemActor } from '../../store.ts';
import { loadActor } from '../identity/load-actor.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { importedFields, newImport, refuseProblems, returnDraft, tellOfImport } from './imports.ts';
import { isOfName, resolveNames } from './resolve-names.ts';
import { type OnWritten, requireRowCount, writeRows } from './write-rows.ts';

/** What writes imports and checks them, apart from the person for whom it does. */
export const IMPORTER = systemActor('Importer');

/** Neither imported nor failed. */
const IN_PROGRESS = `(status = 'Processing' or (status = 'Pending' and failure is null))`;
/** Imports of one user that wait or run. */
export const MAX_IN_PROGRESS = 10;
/** Characters of why an import or a check failed. */
export const MAX_FAILURE = 4000;

/**
 * Accepts an import, whose workflow the caller starts after the commit. The rows are stored until they are written. Only
 * what is wrong with single cells is found here.
 * @throws Refusal forbidden without `importer/write`; badRequest for too many rows, cells with a problem, or a status that the
 *   kind does not have; tooMany while the user's earlier ones wait
 */
export async function acceptImport(session: Session, input: ImportInput): Promise<Import> {
  requirePermission(session, 'importer/write');
  const { kind, rows } = input;
  requireRowCount(input);
  if (input.status && !IMPORT_STATUSES[kind].includes(input.status))
    throw new Refusal('badRequest', `${KIND_TITLES[kind].title} cannot be imported as ${input.status}`);
  const managerId = await tenantOf(session);
  // The codes are stored, so that what was checked is written, whatever is renamed or matched until then.
  const resolved = await resolveNames(session, managerId, input);
  const read = readRows(kind, resolved.rows);
  refuseProblems({
    kind,
    rows: rows.map(({ file, row }, index) => ({
      file,
      row,
      problems: [
        ...(resolved.problems.get(index) ?? []),
        ...(read[index]?.problems ?? []).filter(({ column }) => !isOfName(resolved, index, column)),
      ],
    })),
  });
  const record = newImport(session, managerId, { ...input, rows: resolved.rows });
  await refuseManyInProgress(session, record);
  await session.em.persist(record).flush();
  return record;
}

/** @throws Refusal tooMany if the imports of the user that wait or run are as many as are allowed */
async function refuseManyInProgress(session: Session, { userId }: Pick<Import, 'userId'>): Promise<void> {
  // Imports that are started at the same moment are counted one after the other.
  await session.query(`select pg_advisory_xact_lock(hashtextextended('import-queue/' || $1, 0))`, [userId]);
  const [queued] = await session.query<{ count: number }>(
    `select count(*)::int as count from imports where user_id = $1 and ${IN_PROGRESS}`,
    [userId],
  );
  if ((queued?.count ?? 0) < MAX_IN_PROGRESS) return;
  throw new Refusal(
    'tooMany',
    `You have ${MAX_IN_PROGRESS} imports in progress, which is the limit. Start this one when one of them has ended.`,
    { retryAfterSeconds: 30 },
  );
}

/** A page of the imports that wait or are written, by id. */
export const importsInProgress = (
  store: Store,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ id: string; managerId: string }[]> =>
  store.read(IMPORTER, (session) =>
    session.query(
      `select id, manager_id as "managerId" from imports
       where ${IN_PROGRESS} and ($1::text is null or id > $1) order by id limit $2`,
      [after, limit],
    ),
  );

/**
 * Writes an import that waits, or whose worker was lost, all rows or none, in one transaction. One that is over is left
 * alone. Any number of workers may try: they do so one after the other, under a lock that ends with the connection.
 * @param onWritten is told how many rows are written, and ends the work if it throws
 * @throws Refusal that names the first problems of the rows, or says that the import was cancelled
 */
export async function writeImport(store: Store, id: string, onWritten: OnWritten): Promise<void> {
  const record = await store.as(IMPORTER, (session) => beginImport(session, id));
  if (!record) return;
  const actor = await importingActor(store, record);
  const { agent, ip, locale } = record.metadata.createdBy ?? {};
  await store.as(actor, (session) => writeWhole(session, id, onWritten), { agent, ip, locale });
}

/** The import as in progress; null if it is over. */
async function beginImport(session: Session, id: string): Promise<Import | null> {
  await session.query(
    `update imports set status = 'Processing' where id = $1 and status = 'Pending' and failure is null`,
    [id],
  );
  return session.em.findOne(Import, { id, status: 'Processing' });
}

/** The person who imports, with the permissions that they have now. */
async function importingActor(store: Store, { userId, managerId }: Import): Promise<UserActor> {
  const actor = userId ? await loadActor(store, userId, { managerId }) : null;
  if (!actor) throw new Refusal('forbidden', 'The user who imported is no longer active. Nothing was imported.');
  return actor;
}

const LOCK = `hashtextextended('import/' || $1, 0)`;

async function writeWhole(session: Session, id: string, onWritten: OnWritten): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${LOCK})`, [id]);
  const record = await session.em.findOne(Import, { id, status: 'Processing' }, { populate: ['rows'] });
  if (!record) return;
  const { kind, recordStatus: status, files } = record;
  const rows = [...record.rows];
  const attachments = record.attachments.filter(({ bucket }) => bucket === 'importerFiles');
  refuseProblems(await writeRows(session, { kind, status, rows, attachments, files, hasCodes: true }, id, onWritten));
  const [going] = await session.query(`select 1 from imports where id = $1 and status = 'Processing' for update`, [id]);
  if (!going) throw new Refusal('badRequest', CANCELLED_IMPORT);
  Object.assign(record, importedFields(session, rows.length));
  await session.em.flush();
  await tellOfImport(session, record);
}

/**
 * Records why nothing was imported, unless the import is over. The person can correct the rows and import them again.
 * Called as the system.
 */
export async function failImport(session: Session, { id, failure }: { id: string; failure: string }): Promise<void> {
  // A worker that was given up may still write it.
  await session.query(`select pg_advisory_xact_lock(${LOCK})`, [id]);
  const record = await session.em.findOne(Import, {
    id,
    $or: [{ status: 'Processing' }, { status: 'Pending', failure: null }],
  });
  if (!record) return;
  const status = IMPORT_TRANSITIONS.enter(record.status, 'Pending');
  const metadata = changedMetadata(session, record.metadata);
  Object.assign(record, { status, failure: failure.slice(0, MAX_FAILURE), metadata });
  await session.em.flush();
  await returnDraft(session, id);
  await tellOfImport(session, record);
}
