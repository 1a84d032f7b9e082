import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { safeFileName } from '@tapeline/domain/printing/file-names.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import type { DueNotice, NoticeReference } from './compose-notices.ts';
import { NOTICE_TABLES, type NoticeTable } from './notice-mails.ts';
import { mailPublished } from './tell-investors.ts';

const DUE: Readonly<Record<NoticeTable, string>> = {
  contributions: `status in ('Active', 'Closed')`,
  distributions: `status in ('Active', 'Closed')`,
  capital_accounts: `statement is not null and status <> 'Removed'`,
};

/**
 * Locks documents of one table that are issued and have no file yet; another worker takes the next ones. Empty if there
 * are none. Runs as the program, and keeps the locks until its transaction ends.
 */
export async function claimNotices(session: Session, most: number): Promise<NoticeReference[]> {
  for (const table of NOTICE_TABLES) {
    const found = await session.query<{ id: string }>(
      `select id from ${table} where file_id is null and file_problem is null and ${DUE[table]}
       order by code limit $1 for update skip locked`,
      [most],
    );
    if (found.length > 0) return found.map(({ id }) => ({ table, id }));
  }
  return [];
}

const BUCKETS: Readonly<Record<NoticeTable, Bucket>> = {
  contributions: 'capitalCalls',
  distributions: 'capitalCalls',
  capital_accounts: 'capitalAccounts',
};

const folderOf = ({ table, id }: NoticeReference): string => `${table.replaceAll('_', '-')}/${id}/`;

/** Where the bytes of a notice belong. The same bytes have the same key, however often they are made. */
export const noticeObject = (notice: NoticeReference, checksum: string) => ({
  bucket: BUCKETS[notice.table],
  key: `${folderOf(notice)}${checksum.slice(0, 32)}.pdf`,
});

/** A file whose bytes are stored. */
export interface MadeNotice {
  readonly notice: Pick<DueNotice, 'table' | 'id' | 'managerId'>;
  readonly name: string;
  readonly size: number;
  readonly checksum: string;
}

/**
 * Registers the stored files of notices of one table, and queues their emails: both in the transaction that claimed
 * them, so that neither happens twice. A file made again from the same data is the same file, and is not mailed again.
 */
export async function recordNotices(session: Session, made: readonly MadeNotice[]): Promise<void> {
  const [first] = made;
  if (!first) return;
  const { table } = first.notice;
  const earlier = await session.query<{ id: string; key: string }>(
    `select id, key from files where bucket = $1 and status = 'Active' and key like any ($2)`,
    [BUCKETS[table], made.map(({ notice }) => `${folderOf(notice)}%`)],
  );
  const stored = new Map(earlier.map(({ id, key }) => [key, id]));
  const files = made.map(({ notice, name, size, checksum }) => {
    const object = noticeObject(notice, checksum);
    const known = stored.get(object.key);
    if (known) return { id: notice.id, fileId: known };
    const file = session.em.create(StoredFile, {
      id: newId(session.now),
      ...object,
      name: `${safeFileName(name)}.pdf`,
      size,
      type: 'application/pdf',
      checksum,
      status: 'Active',
      managerId: notice.managerId,
      createdAt: session.now,
    });
    return { id: notice.id, fileId: file.id };
  });
  await session.em.flush();
  const kept = new Set(files.map(({ fileId }) => fileId));
  const replaced = earlier.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  if (replaced.length > 0) await session.query(`update files set status = 'Removed' where id = any ($1)`, [replaced]);
  // Plain SQL: a file is no change of its document, so its version stays, and whoever is editing it is not out of date.
  await session.query(
    `update ${table} t set file_id = made.file_id, file_problem = null
     from unnest($1::text[], $2::text[]) as made (id, file_id) where t.id = made.id`,
    [files.map(({ id }) => id), files.map(({ fileId }) => fileId)],
  );
  await mailPublished(
    session,
    table,
    files.map(({ id }) => id),
  );
}

/** Notes why no file could be made, so that it is not tried again until someone asks for it. */
export async function recordNoticeProblem(
  session: Session,
  { table, id }: NoticeReference,
  problem: string,
): Promise<void> {
  const text = problem.slice(0, 500) || 'The file could not be made';
  await session.query(`update ${table} set file_id = null, file_problem = $2 where id = $1`, [id, text]);
}
