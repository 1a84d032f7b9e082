import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck, ImportInput, ImportWarning } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { IMPORT_STATUSES, type ImportKind, isChangeKind, type RecordKind } from '@tapeline/domain/importer/kinds.ts';
import { IMPORT_TRANSITIONS } from '@tapeline/domain/importer/states.ts';
import { importDoneMail, importFailedMail } from '@tapeline/domain/mail/import-mails.ts';
import { Import } from '../../entities/imports.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { removeContributions } from '../capital/contributions.ts';
import { removeDistributions } from '../capital/distributions.ts';
import { removeNavs } from '../capital/navs.ts';
import { removeReports } from '../capital/reports.ts';
import { removeCapitalAccounts } from '../capital/statements.ts';
import { removeCommitments } from '../commitments/change-commitments.ts';
import { removeFunds } from '../funds/change-funds.ts';
import { removeLPs } from '../investors/investors.ts';
import { listOf } from '../listing/define-lists.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { tell } from '../outbox/tell.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { removeUsers } from '../users/change-users.ts';
import { IMPORTED_TABLES } from './totals.ts';
import { type OnWritten, writeRows } from './write-rows.ts';

/** Imports as the API lists them: without those that were undone. */
export const IMPORTS = listOf('importer', {
  'resource.kind': 't.kind',
  bulkActionCode: 't.id',
});

/** A page of the manager's imports, the latest first, also those that were undone. */
export async function listImports(
  session: Session,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ documents: Import[]; total: number }> {
  const [documents, total] = await session.em.findAndCount(
    Import,
    {},
    { orderBy: { id: 'desc' }, offset: skip, limit },
  );
  return { documents, total };
}

/** An import, also one that was undone. @throws Refusal notFound */
export async function getImport(session: Session, id: string): Promise<Import> {
  const record = isId(id) ? await session.em.findOne(Import, { id }) : null;
  if (!record) throw new Refusal('notFound');
  return record;
}

/**
 * Creates the records of the rows and tells what came of each. The caller undoes the transaction: a check takes the path
 * of the import.
 */
export const checkImport = (session: Session, input: ImportInput, onWritten?: OnWritten): Promise<ImportCheck> =>
  writeRows(session, input, newId(session.now), onWritten);

const SHOWN_PROBLEMS = 5;

/**
 * Creates a record for each row, all or none.
 * @throws Refusal badRequest that names the first problems, if there are any
 */
export const importRows = async (session: Session, input: ImportInput): Promise<Import> =>
  (await importWithWarnings(session, input)).record;

/** @throws Refusal as `importRows` */
export async function importWithWarnings(session: Session, input: ImportInput): Promise<Imported> {
  const record = newImport(session, await tenantOf(session), input);
  const { warnings = [], ...written } = await writeRows(session, input, record.id);
  refuseProblems(written);
  Object.assign(record, importedFields(session, input.rows.length));
  session.em.persist(record);
  await tellOfImport(session, record);
  return { record, warnings };
}

/** An import, and what looks like a mistake in its rows. */
export interface Imported {
  readonly record: Import;
  readonly warnings: readonly ImportWarning[];
}

/** A record of an import that waits for a worker. It is not stored yet. */
export function newImport(session: Session, managerId: string, input: ImportInput): Import {
  const { em, now, actor } = session;
  const { kind, rows, attachments, files = [] } = input;
  const id = newId(now);
  return em.create(
    Import,
    {
      id,
      managerId,
      userId: actor.kind === 'user' ? actor.userId : null,
      kind,
      recordStatus: input.status ?? IMPORT_STATUSES[kind][0],
      attachments: [...(attachments.length > 0 ? attachments : files)],
      files: [...files],
      rows: [...rows],
      totalCount: rows.length,
      failure: null,
      finishedAt: null,
      metadata: createdMetadata(session, { bulkActionCode: id }),
    },
    { persist: false },
  );
}

/** What a record says once all its rows are written. The rows are not needed any more. */
export const importedFields = ({ now }: Pick<Session, 'now'>, rows: number) =>
  ({
    status: 'Completed',
    rows: [],
    uploadedCount: rows,
    failure: null,
    finishedAt: now,
  }) satisfies Partial<Import>;

const fileNameOf = ({ attachments }: Import): string =>
  attachments.length > 1 ? `${attachments[0]?.name} and ${attachments.length - 1} more` : (attachments[0]?.name ?? '');

/** Tells the person who imported how it ended. They wait for it on the page, so there is no email. */
export async function tellOfImport(session: Session, record: Import): Promise<void> {
  const { id, kind, userId, uploadedCount, failure, version } = record;
  if (!userId) return;
  const fileName = fileNameOf(record);
  await tell(session, {
    ...(failure
      ? importFailedMail({ id, kind, fileName, failure })
      : importDoneMail({ id, kind, fileName, count: uploadedCount })),
    kind: 'importFinished',
    ...(failure ? { level: 'danger' as const } : {}),
    resource: 'importer',
    documentId: id,
    key: failure ? `importFailed/${id}/${version}` : `importFinished/${id}`,
    to: { users: [userId] },
    isWithoutEmail: true,
  });
}

/** @throws Refusal badRequest that names the first problems, if there are any */
export function refuseProblems({ kind, rows }: Pick<ImportCheck, 'kind' | 'rows'>): void {
  const labels = new Map(IMPORT_COLUMNS[kind].map(({ key, label }) => [key, label]));
  const lines = rows.flatMap(({ row, problems }) =>
    problems.map(({ column, message }) =>
      column === null ? `Row ${row}: ${message}` : `Row ${row}, ${labels.get(column) ?? column}: ${message}`,
    ),
  );
  if (lines.length === 0) return;
  throw new Refusal(
    'badRequest',
    `Nothing was imported.\n${firstFew(lines, { most: SHOWN_PROBLEMS, separator: '\n' })}`,
  );
}

/** Lets the rows of an import that wrote nothing be corrected, and imported again, by the person who prepared them. */
export const returnDraft = (session: Session, importId: string) =>
  asProgram(session, () =>
    session.query(`update import_drafts set import_id = null, version = version + 1 where import_id = $1`, [importId]),
  );

/** What identifies a record for a person. */
const TITLES: Readonly<Record<RecordKind, string>> = {
  funds: 't.title',
  LPs: 't.title',
  users: `t.first_name || ' ' || t.last_name`,
  LPCommitments: `'Commitment ' || t.code`,
  contributions: `'Contribution ' || t.code`,
  distributions: `'Distribution ' || t.code`,
  navs: `'NAV ' || t.code`,
  capitalAccounts: `'Capital account ' || t.code`,
  reports: `'Report ' || t.code`,
};

const MAX_NAMED = 10;
const REASON = { reason: 'Import undone' };

const REMOVE: Readonly<Record<RecordKind, (session: Session, ids: string[]) => Promise<unknown>>> = {
  funds: removeFunds,
  LPs: removeLPs,
  users: removeUsers,
  LPCommitments: removeCommitments,
  contributions: (session, ids) => removeContributions(session, { ids, ...REASON }),
  distributions: (session, ids) => removeDistributions(session, { ids, ...REASON }),
  navs: (session, ids) => removeNavs(session, { ids, ...REASON }),
  capitalAccounts: (session, ids) => removeCapitalAccounts(session, { ids, ...REASON }),
  reports: (session, ids) => removeReports(session, { ids, ...REASON }),
};

/**
 * Undoes an import: removes everything that it created, all or none. One that waits or is written is cancelled, and writes
 * nothing from then on.
 * @throws Refusal notFound; badRequest that names the documents, if some were changed, issued or referenced since
 */
export async function undoImport(session: Session, id: string): Promise<Import> {
  requirePermission(session, 'importer/write');
  const { id: found } = await getImport(session, id);
  await session.query('select 1 from imports where id = $1 for update', [found]);
  const record = await session.em.findOneOrFail(Import, { id: found }, { refresh: true });
  if (record.status === 'Removed') throw new Refusal('badRequest', 'This import was already undone');
  IMPORT_TRANSITIONS.require(record.status, 'Removed');
  const { kind } = record;
  if (isChangeKind(kind)) {
    if (record.finishedAt) refuse(NOT_UNDONE, {});
    return removed(session, record);
  }
  const rows = await session.query<{ id: string; title: string; changed: boolean; entity: string | null }>(
    `select t.id, ${TITLES[kind]} as title, ${changedSince(kind)} as changed,
       ${kind === 'funds' || kind === 'LPs' ? 't.entity_id' : 'null'} as entity
     from ${IMPORTED_TABLES[kind]} t where t.metadata ->> 'bulkActionCode' = $1 and t.status <> 'Removed' order by t.code`,
    [id],
  );
  const changed = rows.filter((row) => row.changed).map(({ title }) => title);
  if (changed.length > 0) refuseUndo('Changed or issued since', changed, changed.length);
  const ids = rows.map((row) => row.id);
  const { used, total } = await usesOf(session, kind, ids);
  if (total > 0) refuseUndo('Used since', used, total);
  const told = await toldOf(session, kind, ids);
  if (told.total > 0) refuseUndo('Investors were told of', told.used, told.total);
  if (ids.length > 0) await REMOVE[kind](session, ids);
  await removeEntitiesOf(
    session,
    record,
    rows.flatMap(({ entity }) => entity ?? []),
  );
  return removed(session, record);
}

/** What is changed stays: each of its pages has what takes it back. */
const NOT_UNDONE =
  'Fee terms, side letters, closings and transfers change what was there before, so their import is not undone. Change them on the pages of the fund and its investors';

async function removed(session: Session, record: Import): Promise<Import> {
  record.status = IMPORT_TRANSITIONS.enter(record.status, 'Removed');
  record.metadata = changedMetadata(session, record.metadata);
  await session.em.flush();
  if (!record.finishedAt) await returnDraft(session, record.id);
  return record;
}

function refuseUndo(what: string, titles: readonly string[], total: number): never {
  throw new Refusal(
    'badRequest',
    `This import cannot be undone. ${what}: ${firstFew(titles, { most: MAX_NAMED, total })}.`,
  );
}

/** SQL of the documents of a table that refer to the records `$1` by a column: the record, and how a person names them. */
const using = (table: string, noun: string, ...columns: string[]): string[] =>
  columns.map(
    (column) =>
      `select ${column} as id, '${noun} ' || code as name from ${table} where ${column} = any ($1) and status <> 'Removed'`,
  );
const announced = (column: string): string =>
  `select ${column}, 'announcement “' || title || '”' from announcements where ${column} = any ($1) and status <> 'Removed'`;

/** The documents that refer to records, by the kind of the records. Nothing refers to a record of the other kinds. */
const USES: Partial<Readonly<Record<ImportKind, readonly string[]>>> = {
  funds: [
    ...using('lp_commitments', 'commitment', 'fund_id', 'investor_fund_id'),
    ...using('capital_accounts', 'capital account', 'fund_id', 'investor_fund_id'),
    ...using('reports', 'report', 'fund_id'),
    announced('fund_id'),
    `select fund #>> '{}', title from transactions, jsonb_path_query(notes, '$[*].holdings[*].fund') as fund
     where fund #>> '{}' = any ($1) and status <> 'Removed'`,
  ],
  LPs: [
    ...using('lp_commitments', 'commitment', 'investor_lp_id'),
    ...using('capital_accounts', 'capital account', 'investor_lp_id'),
    `select lp, 'user ' || name from users, unnest(lps || lp_id) as lp where lp = any ($1) and status <> 'Removed' group by users.id, lp`,
    announced('lp_id'),
  ],
  LPCommitments: [
    ...using('contributions', 'contribution', 'commitment_id'),
    ...using('distributions', 'distribution', 'commitment_id'),
    ...using('navs', 'NAV', 'commitment_id'),
    ...using('write_offs', 'write-off', 'commitment_id'),
    `select c.id, 'capital account ' || a.code from lp_commitments c join capital_accounts a on a.fund_id = c.fund_id
       and coalesce(a.investor_lp_id, a.investor_fund_id) = coalesce(c.investor_lp_id, c.investor_fund_id)
       and (a.class is null or a.class = c.class)
     where c.id = any ($1) and a.status <> 'Removed'`,
  ],
};

/** The first documents that refer to the records of an import, "Fund A (commitment 3)", and how many there are. */
async function usesOf(session: Session, kind: RecordKind, ids: string[]): Promise<{ used: string[]; total: number }> {
  const queries = USES[kind];
  if (!queries) return { used: [], total: 0 };
  const rows = await session.query<{ title: string; name: string; total: number }>(
    `with used as materialized (${queries.join(' union all ')})
     select ${TITLES[kind]} as title, used.name, count(*) over ()::int as total
     from used join ${IMPORTED_TABLES[kind]} t on t.id = used.id order by t.code, used.name limit ${MAX_NAMED}`,
    [ids],
  );
  return { used: rows.map(({ title, name }) => `${title} (${name})`), total: rows[0]?.total ?? 0 };
}

const NOTICE_KINDS: readonly ImportKind[] = ['contributions', 'distributions', 'capitalAccounts', 'reports'];

/** The first records that an investor was notified of or has read, with the person, and how many there are. */
async function toldOf(session: Session, kind: RecordKind, ids: string[]): Promise<{ used: string[]; total: number }> {
  if (!NOTICE_KINDS.includes(kind)) return { used: [], total: 0 };
  // Notifications are visible only to those they are for.
  const rows = await asProgram(session, () =>
    session.query<{ title: string; name: string; total: number }>(
      `select ${TITLES[kind]} as title, string_agg(u.name, ', ' order by u.name) as name, count(*) over ()::int as total
       from (
         select document_id, user_id from activities where resource = $2 and document_id = any ($1)
         union select document_id, user_id from notifications where resource = $2 and document_id = any ($1)
       ) told join users u on u.id = told.user_id and u.type in ('LP', 'LPGroup') join ${IMPORTED_TABLES[kind]} t on t.id = told.document_id
       group by t.id order by t.code limit ${MAX_NAMED}`,
      [ids, kind],
    ),
  );
  return { used: rows.map(({ title, name }) => `${title} (${name})`), total: rows[0]?.total ?? 0 };
}

/** Whether a record was changed since, by a person, or a user was invited or has signed in. */
const changedSince = (kind: ImportKind): string =>
  kind === 'users'
    ? `(t.metadata ? 'changedBy' or t.status <> 'Pending' or exists (select from magic_links m where m.user_id = t.id))`
    : `t.metadata ? 'changedBy'`;

/** Removes the legal entities that the import added to the register, if nothing else refers to them. */
async function removeEntitiesOf(session: Session, { metadata }: Import, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await session.query(
    // The ids in use are collected once, and not for each entity.
    `with used as materialized (
       select entity_id::text as id from lps where status <> 'Removed'
       union select entity_id from companies where status <> 'Removed'
       union select entity_id from managers
       union select party from funds, unnest(gp_ids || array[entity_id, management_company_id]) as party
         where funds.status <> 'Removed' and party is not null
       union select unnest(entity_ids) from service_providers where status <> 'Removed')
     update entities e set status = 'Removed' where e.id = any ($1) and e.metadata ->> 'iat' = $2
       and not exists (select from used where used.id = e.id)`,
    [[...ids], metadata.iat],
  );
}
