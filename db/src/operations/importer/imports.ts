import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { IMPORT_STATUSES, type ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { IMPORT_TRANSITIONS } from '@tapeline/domain/importer/states.ts';
import { importDoneMail, importFailedMail } from '@tapeline/domain/mail/import-mails.ts';
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
import { tell } from '../outbox/tell.ts';
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
  const record = newImport(session, await tenantOf(session), input);
  refuseProblems(await writeRows(session, input, record.id));
  Object.assign(record, importedFields(session, input.rows.length));
  session.em.persist(record);
  await tellOfImport(session, record);
  return record;
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
    doneCount: rows,
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
  if (changed.length > 0) refuseUndo('Changed or issued since', changed, changed.length);
  const { used, total } = await usesOf(session, kind, id);
  if (total > 0) refuseUndo('Used since', used, total);
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

function refuseUndo(what: string, titles: readonly string[], total: number): never {
  const named = titles.slice(0, MOST_NAMED).join(', ');
  const more = total > MOST_NAMED ? ` and ${total - MOST_NAMED} more` : '';
  throw new Refusal('badRequest', `This import cannot be undone. ${what}: ${named}${more}.`);
}

const using = (table: string, noun: string, condition: string) =>
  `select '${noun} ' || u.code as name from ${table} u where (${condition}) and u.status <> 'Removed'`;
const ANNOUNCED = (column: string) =>
  `select 'announcement “' || u.title || '”' as name from announcements u where u.${column} = t.id and u.status <> 'Removed'`;

/** The documents that refer to a record `t`, by the kind of the record. Nothing refers to a record of the other kinds. */
const USES: Partial<Readonly<Record<ImportKind, readonly string[]>>> = {
  funds: [
    using('lp_commitments', 'commitment', 'u.fund_id = t.id or u.investor_fund_id = t.id'),
    using('capital_accounts', 'capital account', 'u.fund_id = t.id or u.investor_fund_id = t.id'),
    using('reports', 'report', 'u.fund_id = t.id'),
    ANNOUNCED('fund_id'),
    `select u.title as name from transactions u where u.status <> 'Removed'
       and jsonb_path_exists(u.notes, '$[*].holdings[*] ? (@.fund == $fund)', jsonb_build_object('fund', t.id::text))`,
  ],
  LPs: [
    using('lp_commitments', 'commitment', 'u.investor_lp_id = t.id'),
    using('capital_accounts', 'capital account', 'u.investor_lp_id = t.id'),
    `select 'user ' || u.name as name from users u where (u.lp_id = t.id or u.lps @> array[t.id::text]) and u.status <> 'Removed'`,
    ANNOUNCED('lp_id'),
  ],
  LPCommitments: [
    ...[
      ['contributions', 'contribution'],
      ['distributions', 'distribution'],
      ['navs', 'NAV'],
      ['write_offs', 'write-off'],
    ].map(([table = '', noun = '']) => using(table, noun, 'u.commitment_id = t.id')),
    using(
      'capital_accounts',
      'capital account',
      `u.fund_id = t.fund_id and coalesce(u.investor_lp_id, u.investor_fund_id) = coalesce(t.investor_lp_id, t.investor_fund_id)
       and (u.class is null or u.class = t.class)`,
    ),
  ],
};

/** The first documents that refer to the records of an import, "Fund A (commitment 3)", and how many there are. */
async function usesOf(session: Session, kind: ImportKind, id: string): Promise<{ used: string[]; total: number }> {
  const queries = USES[kind];
  if (!queries) return { used: [], total: 0 };
  const rows = await session.query<{ title: string; name: string; total: number }>(
    `select ${TITLES[kind]} as title, used.name, count(*) over ()::int as total
     from ${TABLES[kind]} t cross join lateral (${queries.join(' union all ')}) used
     where t.metadata ->> 'bulkActionCode' = $1 and t.status <> 'Removed' order by t.code, used.name limit ${MOST_NAMED}`,
    [id],
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
