import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportInput } from '@tapeline/domain/importer/check.ts';
import { IMPORT_STATUSES, KIND_TITLES, MAX_ROWS } from '@tapeline/domain/importer/kinds.ts';
import { readRows } from '@tapeline/domain/importer/read-rows.ts';
import { IMPORT_TRANSITIONS } from '@tapeline/domain/importer/states.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { Import } from '../../entities/imports.ts';
import { isServiceFault, reasonOf } from '../../service-faults.ts';
import type { Session, Store } from '../../store.ts';
import { loadActor } from '../identity/load-actor.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { countAttempt, IMPORTER } from './attempts.ts';
import { importedFields, newImport, refuseProblems, tellOfImport } from './imports.ts';
import { type OnWritten, writeRows } from './write-rows.ts';

/** Imports that are looked at in one run. The next one continues. */
const MAX_DUE = 100;
const DUE = `(status = 'Processing' or (status = 'Pending' and failure is null))`;
/** Imports of one user that wait or run. */
export const MAX_QUEUED = 10;
const MAX_FAILURE = 4000;

/**
 * Hands an import to the workers. The rows are stored until they are written. Only what is wrong with single cells is
 * found here.
 * @throws Refusal forbidden without `importer/write`; badRequest for too many rows, cells with a problem, or a status that the
 *   kind does not have; tooMany while the user's earlier ones wait
 */
export async function queueImport(session: Session, input: ImportInput): Promise<Import> {
  requirePermission(session, 'importer/write');
  const { kind, rows } = input;
  if (rows.length === 0 || rows.length > MAX_ROWS[kind]) {
    const message = `An import has 1 to ${MAX_ROWS[kind]} rows of ${KIND_TITLES[kind].nouns}, not ${rows.length}`;
    throw new Refusal('badRequest', message);
  }
  if (input.status && !IMPORT_STATUSES[kind].includes(input.status))
    throw new Refusal('badRequest', `${KIND_TITLES[kind].title} cannot be imported as ${input.status}`);
  const read = readRows(kind, rows);
  refuseProblems({
    kind,
    rows: rows.map(({ file, row }, place) => ({ file, row, problems: read[place]?.problems ?? [] })),
  });
  const record = newImport(session, await tenantOf(session), input);
  await refuseManyQueued(session, record);
  await session.em.persist(record).flush();
  session.announce('importQueued');
  return record;
}

/** @throws Refusal tooMany if the imports of the user that wait or run are as many as are allowed */
async function refuseManyQueued(session: Session, { userId }: Pick<Import, 'userId'>): Promise<void> {
  // Imports that are started at the same moment are counted one after the other.
  await session.query(`select pg_advisory_xact_lock(hashtextextended('import-queue/' || $1, 0))`, [userId]);
  const [queued] = await session.query<{ count: number }>(
    `select count(*)::int as count from imports where user_id = $1 and ${DUE}`,
    [userId],
  );
  if ((queued?.count ?? 0) < MAX_QUEUED) return;
  throw new Refusal(
    'tooMany',
    `You have ${MAX_QUEUED} imports in progress, which is the limit. Start this one when one of them has ended.`,
    { retryAfterSeconds: 30 },
  );
}

/** Imports that wait for a worker, or whose worker may be gone. The tenants take turns, each with its oldest first. */
export const listDueImports = (store: Store): Promise<string[]> =>
  store.read(IMPORTER, async (session) => {
    const rows = await session.query<{ id: string }>(
      `select id from imports where ${DUE}
       order by row_number() over (partition by manager_id order by id), id limit ${MAX_DUE}`,
    );
    return rows.map(({ id }) => id);
  });

const unexpected = (error: unknown): string =>
  `Nothing was imported (${reasonOf(error)}). Retrying does not help. Correct the rows that this names, or send this text to support.`;

/** `busy`: another worker is processing it. `over`: it ended before. */
export type ImportOutcome = 'imported' | 'failed' | 'busy' | 'over';

/**
 * Runs an import that waits, or whose worker was killed. Any number of workers may try: one of them writes, in one
 * transaction, under a lock that ends with its connection. What stops an import is recorded, and can be corrected.
 * @param onProblem is told of an error that is not the fault of the rows
 */
export async function runImport(
  store: Store,
  id: string,
  onProblem: (error: unknown) => void = () => undefined,
): Promise<ImportOutcome> {
  const record = await store.as(IMPORTER, (session) => beginImport(session, id));
  if (!record) return 'over';
  try {
    const actor = await importingActor(store, record);
    const { agent, ip, locale } = record.metadata.createdBy ?? {};
    const report = (rows: number) => reportProgress(store, id, rows);
    const begin = () => countAttempt(store, 'import', id);
    return await store.as(actor, (session) => writeImport(session, id, begin, report), { agent, ip, locale });
  } catch (error) {
    // The import still waits, and the next run does it. It is given up after a few lost attempts.
    if (isServiceFault(error)) throw error;
    if (!isRefusal(error)) onProblem(error);
    const failure = isRefusal(error) ? error.message : unexpected(error);
    await store.as(IMPORTER, (session) => failImport(session, id, failure.slice(0, MAX_FAILURE)));
    return 'failed';
  }
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

async function writeImport(
  session: Session,
  id: string,
  begin: () => Promise<void>,
  onWritten: OnWritten,
): Promise<ImportOutcome> {
  const [lock] = await session.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as taken`, [id]);
  if (!lock?.taken) return 'busy';
  const record = await session.em.findOne(Import, { id, status: 'Processing' }, { populate: ['rows'] });
  if (!record) return 'over';
  await begin();
  const { kind, recordStatus: status, files } = record;
  const rows = [...record.rows];
  const attachments = record.attachments.filter(({ bucket }) => bucket === 'importerFiles');
  refuseProblems(await writeRows(session, { kind, status, rows, attachments, files }, id, onWritten));
  IMPORT_TRANSITIONS.require(record.status, 'Completed');
  Object.assign(record, importedFields(session, rows.length));
  await session.em.flush();
  await tellOfImport(session, record);
  return 'imported';
}

/** In a transaction of its own, so that others see it. */
const reportProgress = (store: Store, id: string, rows: number): Promise<void> =>
  store.as(IMPORTER, async (session) => {
    await session.query(`update imports set done_count = $2 where id = $1 and status = 'Processing'`, [id, rows]);
  });

/** Records why nothing was imported. The person can correct the rows and import them again. */
async function failImport(session: Session, id: string, failure: string): Promise<void> {
  // Another worker may be at it.
  await session.query(`select pg_advisory_xact_lock(${LOCK})`, [id]);
  const record = await session.em.findOne(Import, { id, status: 'Processing' });
  if (!record) return;
  const status = IMPORT_TRANSITIONS.enter(record.status, 'Pending');
  Object.assign(record, { status, failure, doneCount: 0, metadata: changedMetadata(session, record.metadata) });
  await session.em.flush();
  await session.query(`update import_drafts set import_id = null, version = version + 1 where import_id = $1`, [id]);
  await tellOfImport(session, record);
}
