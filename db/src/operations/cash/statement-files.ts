import { createHash } from 'node:crypto';
import {
  DELIVERY_FOLDERS,
  DELIVERY_LIMITS,
  MAX_REFUSALS_TOLD,
  typeOfStatement,
} from '@tapeline/domain/cash/statement-delivery.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { statementRefusedMail } from '@tapeline/domain/mail/statement-mails.ts';
import { DeliveredFile } from '../../entities/bank-statements.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { listDocuments } from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { tell } from '../outbox/tell.ts';
import { requirePermission } from '../permission.ts';
import { importStatements } from './import-statements.ts';

export const STATEMENT_FILES = listOf('statementFiles', {}, { order: 't.code desc' });

/** The delivered files of a manager, the latest first. */
export const listStatementFiles = (session: ReadSession, query: unknown = {}) => {
  requirePermission(session, 'payments/read');
  return listDocuments(session, STATEMENT_FILES, query);
};

/** A file as it was delivered: what of it is the same is one delivery. */
export interface StatementDelivery {
  readonly managerId: string;
  /** The folder that it was delivered to, which is the id of a bank account, or null. */
  readonly folder: string | null;
  /** Without the folder. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly writtenAt: Date;
}

const wholeName = ({ folder, name }: StatementDelivery): string => (folder === null ? name : `${folder}/${name}`);

/** The id of a delivery: whoever takes it again, after it was killed, records and stores nothing twice. */
export const deliveryId = (delivery: StatementDelivery): string =>
  createHash('sha256')
    .update(JSON.stringify([delivery.managerId, wholeName(delivery), delivery.size, delivery.writtenAt.toISOString()]))
    .digest('hex')
    .slice(0, 24);

/** The key of a delivered file in the bucket of statements, once it was taken. */
export const takenKey = (delivery: StatementDelivery, outcome: 'imported' | 'refused'): string =>
  `${delivery.managerId}/${DELIVERY_FOLDERS[outcome]}/${deliveryId(delivery)}/${delivery.name}`;

/** The key of the reason beside a refused file. */
export const reasonKey = (delivery: StatementDelivery): string =>
  `${delivery.managerId}/${DELIVERY_FOLDERS.refused}/${deliveryId(delivery)}.txt`;

/** A delivery that was taken, if it was. Whoever else takes it waits for this transaction. Called as the system. */
export async function takenDelivery(session: Session, delivery: StatementDelivery): Promise<DeliveredFile | null> {
  const id = deliveryId(delivery);
  await session.query(`select pg_advisory_xact_lock(hashtextextended('statement file/' || $1, 0))`, [id]);
  return session.em.findOne(DeliveredFile, { id });
}

/** Text of others in one line, without characters that have no sign of their own. */
const shownText = (text: string, most: number): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed() || 'no name';

function record(
  session: Session,
  delivery: StatementDelivery,
  more: Pick<DeliveredFile, 'outcome'> & Partial<DeliveredFile>,
) {
  return session.em.create(DeliveredFile, {
    id: deliveryId(delivery),
    managerId: delivery.managerId,
    name: shownText(wholeName(delivery), DELIVERY_LIMITS.name),
    size: delivery.size,
    writtenAt: delivery.writtenAt,
    metadata: createdMetadata(session),
    ...more,
  });
}

interface StoredPart {
  readonly key: string;
  readonly size: number;
  readonly checksum: string;
}

function storeFile(session: Session, { managerId, name }: StatementDelivery, stored: StoredPart): StoredFile {
  return session.em.create(StoredFile, {
    id: newId(session.now),
    bucket: 'bankStatements',
    name: shownText(name, DELIVERY_LIMITS.name),
    type: typeOfStatement(name),
    status: 'Active',
    managerId,
    createdAt: session.now,
    ...stored,
  });
}

/** What is wrong with the folder of a delivery: it is none of the bank accounts. Its name is one that anybody chose. */
async function requireAccount(session: Session, { folder, managerId }: StatementDelivery): Promise<void> {
  if (folder === null) return;
  const known = await session.query('select from bank_accounts where id = $1 and manager_id = $2', [folder, managerId]);
  if (known.length > 0) return;
  const why = `The folder ${shownText(folder, 100)} is none of your bank accounts. Import statements names the folder of each, for its CSV files.`;
  throw new Refusal('badRequest', why, { flags: { file: why } });
}

/**
 * Imports a delivered file as an upload of its manager, and records it. Called as the system, which has found that the
 * delivery was not taken.
 * @throws Refusal as `importStatements` does; badRequest for a folder that is no bank account of the manager
 */
export async function importDelivery(
  session: Session,
  delivery: StatementDelivery,
  { bytes, checksum }: { readonly bytes: Uint8Array; readonly checksum: string },
): Promise<DeliveredFile> {
  await requireAccount(session, delivery);
  const file = storeFile(session, delivery, {
    key: takenKey(delivery, 'imported'),
    size: bytes.length,
    checksum,
  });
  await session.em.flush();
  const imported = await importStatements(session, {
    managerId: delivery.managerId,
    file: { id: file.id, name: file.name },
    bytes,
    bankAccountId: delivery.folder,
  });
  const taken = record(session, delivery, {
    outcome: 'Imported',
    fileId: file.id,
    statements: imported.filter(({ isNew }) => isNew).length,
    added: imported.reduce((count, { added }) => count + added, 0),
  });
  await session.em.flush();
  return taken;
}

/**
 * Records that a delivered file was refused, and tells those who can import statements: of at most `MAX_REFUSALS_TOLD`
 * files of a manager a day. Called as the system, which has found that the delivery was not taken.
 * @param stored where the file and the reason are now; null if the file stays where it was delivered
 */
export async function refuseDelivery(
  session: Session,
  delivery: StatementDelivery,
  why: string,
  stored: { readonly file: StoredPart; readonly reason: StoredPart } | null,
): Promise<DeliveredFile> {
  const file = stored && storeFile(session, delivery, stored.file);
  if (stored) storeFile(session, { ...delivery, name: `${delivery.name}.txt` }, stored.reason);
  await session.em.flush();
  const reason = shownText(why, DELIVERY_LIMITS.reason);
  const refused = record(session, delivery, { outcome: 'Refused', reason, fileId: file?.id ?? null });
  await session.em.flush();
  const [today] = await session.query<{ count: number }>(
    `select count(*)::int as count from statement_files where manager_id = $1 and outcome = 'Refused'
       and (metadata ->> 'iat')::timestamptz >= date_trunc('day', $2::timestamptz, 'UTC')`,
    [delivery.managerId, session.now],
  );
  const count = today?.count ?? 0;
  if (count > MAX_REFUSALS_TOLD) return refused;
  await tell(session, {
    ...statementRefusedMail({ name: refused.name, reason, isLast: count === MAX_REFUSALS_TOLD }),
    resource: 'statementFiles',
    documentId: refused.id,
    kind: 'statementRefused',
    key: `statement-refused/${refused.id}`,
    to: { manager: delivery.managerId, can: 'payments/write' },
  });
  return refused;
}

/** The managers whose deliveries are taken. Called as the system. */
export const managersWithDeliveries = async (session: ReadSession): Promise<string[]> =>
  (await session.query<{ id: string }>(`select id from managers where status <> 'Removed' order by id`)).map(
    ({ id }) => id,
  );
