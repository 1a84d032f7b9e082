import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { IMPORT_STATUSES, type ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { IMPORT_TRANSITIONS } from '@tapeline/domain/importer/states.ts';
import { Import } from '../../entities/imports.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { removeContributions } from '../capital/contributions.ts';
import { removeDistributions } from '../capital/distributions.ts';
import { removeNavs } from '../capital/navs.ts';
import { removeCapitalAccounts, removeReports } from '../capital/statements.ts';
import { removeCommitments } from '../commitments/change-commitments.ts';
import { removeFunds } from '../funds/change-funds.ts';
import { removeLPs } from '../investors/investors.ts';
import { defineListable } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { removeUsers } from '../users/change-users.ts';
import { TABLES } from './totals.ts';
import { type ImportInput, writeRows } from './write-rows.ts';

/** Imports as the API lists them: without those that were undone. */
export const IMPORTS = defineListable(Import, 'imports', [
  ['resource.kind', 'Kind', 'text', 't.kind'],
  ['uploadedCount', 'Imported rows', 'number', 't.uploaded_count'],
  ['totalCount', 'Rows', 'number', 't.total_count'],
  ['bulkActionCode', 'Import', 'text', 't.id'],
]);

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
export const checkImport = (session: Session, input: ImportInput): Promise<ImportCheck> =>
  writeRows(session, input, newId(session.now));

const SHOWN_PROBLEMS = 5;

/**
 * Creates a record for each row, all or none.
 * @throws Refusal badRequest that names the first problems, if there are any
 */
export async function importRows(session: Session, input: ImportInput): Promise<Import> {
  const { em, now, actor } = session;
  const { kind, rows, attachments, files = [] } = input;
  const id = newId(now);
  const managerId = await tenantOf(session);
  refuseProblems(await writeRows(session, input, id));
  const record = em.create(Import, {
    id,
    managerId,
    userId: actor.kind === 'user' ? actor.userId : null,
    status: 'Completed',
    kind,
    recordStatus: input.status ?? IMPORT_STATUSES[kind][0],
    attachments: [...(attachments.length > 0 ? attachments : files)],
    files: [...files],
    rows: [],
    totalCount: rows.length,
    uploadedCount: rows.length,
    doneCount: rows.length,
    failure: null,
    finishedAt: now,
    metadata: createdMetadata(session, { bulkActionCode: id }),
  });
  await em.flush();
  return record;
}

function refuseProblems({ kind, rows }: ImportCheck): void {
  const labels = new Map(IMPORT_COLUMNS[kind].map(({ key, label }) => [key, label]));
  const lines = rows.flatMap(({ row, problems }) =>
    problems.map(({ column, message }) =>
      column === null ? `Row ${row}: ${message}` : `Row ${row}, ${labels.get(column) ?? column}: ${message}`,
    ),
  );
  if (lines.length === 0) return;
  const more = lines.length > SHOWN_PROBLEMS ? [`and ${lines.length - SHOWN_PROBLEMS} more problems`] : [];
  throw new Refusal('badRequest', ['Nothing was imported.', ...lines.slice(0, SHOWN_PROBLEMS), ...more].join('\n'));
}

/** What identifies a record for a person. */
const TITLES: Readonly<Record<ImportKind, string>> = {
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

const MOST_NAMED = 10;
const REASON = { reason: 'Import undone' };

const REMOVE: Readonly<Record<ImportKind, (session: Session, ids: string[]) => Promise<unknown>>> = {
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
 * Undoes an import: removes everything that it created, all or none.
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
  const rows = await session.query<{ id: string; title: string; changed: boolean; entity: string | null }>(
    `select t.id, ${TITLES[kind]} as title, ${changedSince(kind)} as changed,
       ${kind === 'funds' || kind === 'LPs' ? 't.entity_id' : 'null'} as entity
     from ${TABLES[kind]} t where t.metadata ->> 'bulkActionCode' = $1 and t.status <> 'Removed' order by t.code`,
    [id],
  );
  const changed = rows.filter((row) => row.changed).map(({ title }) => title);
  if (changed.length > 0) {
    const named = changed.slice(0, MOST_NAMED).join(', ');
    const more = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : '';
    throw new Refusal('badRequest', `This import cannot be undone. Changed or issued since: ${named}${more}.`);
  }
  if (rows.length > 0)
    await REMOVE[kind](
      session,
      rows.map((row) => row.id),
    );
  await removeEntitiesOf(
    session,
    record,
    rows.flatMap(({ entity }) => entity ?? []),
  );
  record.status = IMPORT_TRANSITIONS.enter(record.status, 'Removed');
  record.metadata = changedMetadata(session, record.metadata);
  await session.em.flush();
  return record;
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
    `update entities e set status = 'Removed' where e.id = any ($1) and e.metadata ->> 'iat' = $2
       and not exists (select from lps l where l.entity_id = e.id and l.status <> 'Removed')
       and not exists (select from funds f where f.status <> 'Removed'
         and (f.entity_id = e.id or f.management_company_id = e.id or e.id = any (f.gp_ids)))
       and not exists (select from companies c where c.entity_id = e.id and c.status <> 'Removed')
       and not exists (select from managers m where m.entity_id = e.id)
       and not exists (select from service_providers s where e.id = any (s.entity_ids) and s.status <> 'Removed')`,
    [[...ids], metadata.iat],
  );
}
