import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type BorrowingBaseStatus, type FileMetadata, LoanTape } from '../../entities/tapes.ts';
import { newAssetPrefix, newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { mappingForUpload } from '../mappings/mappings.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { getCompany } from '../people/people.ts';

export const LOAN_TAPES = defineListable(LoanTape, 'loan_tapes', [
  ['company', 'Company', 'text', 't.company_id'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
  ['schedulerStatus', 'Scheduler status', 'text', 't.scheduler_status'],
  ['processStatus', 'Process status', 'text', 't.process_status'],
  ['mainCurrency', 'Main currency', 'text', 't.main_currency'],
  ['calculateBB', 'Borrowing base asked for', 'boolean', 't.calculate_bb'],
  ['assetsETL', 'Mapping', 'text', 't.mapping_id'],
  ['published', 'Published', 'boolean', '(t.generation_id is not null)'],
  ['publishedAt', 'Published at', 'instant', 't.published_at'],
  ['counts.dataRows', 'Data rows', 'number', "(t.counts ->> 'dataRows')::bigint"],
  ['counts.assets', 'Assets', 'number', "(t.counts ->> 'assets')::bigint"],
  ['counts.errored', 'Errored assets', 'number', "(t.counts ->> 'errored')::bigint"],
]);

export interface NewTape {
  companyId: string;
  cutOffDate: string;
  mainCurrency: string;
  /** Units of each currency for one US dollar. */
  exchangeRates: Record<string, DecimalText>;
  calculateBB: boolean;
  attachment: FileMetadata;
  otherAttachments?: FileMetadata[];
  sheetName?: string | null;
  /** Left out: the company's latest mapping. */
  mappingId?: string | null;
}

/** The workflow of a tape; ids of workflows are business ids. */
export const tapeWorkflowId = (tapeId: string): string => `loan-tape/${tapeId}`;

/**
 * Registers a tape whose processing is about to begin (Processing, Pending).
 * @throws Refusal notFound for a company out of sight; badRequest where there is no mapping
 */
export async function createTape(session: Session, command: NewTape): Promise<LoanTape> {
  const company = await getCompany(session, command.companyId);
  const mapping = await mappingForUpload(session, command);
  const id = newId(session.now);
  const tape = session.em.create(LoanTape, {
    id,
    managerId: company.managerId,
    companyId: company.id,
    cutOffDate: command.cutOffDate,
    mainCurrency: command.mainCurrency,
    exchangeRates: command.exchangeRates,
    calculateBB: command.calculateBB,
    attachment: command.attachment,
    otherAttachments: command.otherAttachments ?? [],
    sheetName: command.sheetName ?? null,
    mappingId: mapping.id,
    mappingVersion: mapping.mappingVersion,
    assetPrefix: newAssetPrefix(),
    workflowId: tapeWorkflowId(id),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return tape;
}

export const listTapes = (session: Session, query: unknown = {}): Promise<Page<LoanTape>> =>
  listDocuments(session, LOAN_TAPES, query);

/** A tape in sight that is not removed. @throws Refusal notFound */
export async function getTape(session: Session, id: string): Promise<LoanTape> {
  const tape = await getDocument(session, LOAN_TAPES, id);
  if (tape.status === 'Removed') throw new Refusal('notFound');
  return tape;
}

/** A tape in sight that was removed. Null where there is none. */
export const findRemovedTape = (session: Session, id: string): Promise<LoanTape | null> =>
  session.em.findOne(LoanTape, { id, status: 'Removed' });

/** The tape an asset's id leads to, by the id's first 16 digits. Null where there is none in sight. */
export async function findTapeByAssetPrefix(session: Session, assetPrefix: string): Promise<LoanTape | null> {
  return session.em.findOne(LoanTape, { assetPrefix, status: 'Active' });
}

/** Whether a tape, removed ones included, was made of the file or keeps it beside. */
export async function isAttached(session: Session, file: { key: string }): Promise<boolean> {
  const rows = await session.query(
    `select 1 from loan_tapes where attachment ->> 'key' = $1
       or other_attachments @> jsonb_build_array(jsonb_build_object('key', $1::text)) limit 1`,
    [file.key],
  );
  return rows.length > 0;
}

/** Tapes still in work, in the order they were uploaded. */
export async function listTapesInWork(session: Session): Promise<LoanTape[]> {
  return session.em.find(LoanTape, { schedulerStatus: 'Processing', status: 'Active' }, { orderBy: { code: 'asc' } });
}

/**
 * The company's published tape with the latest cut-off date before this one: what Consistent checks compare with.
 * Null where there is none.
 */
export async function previousPublishedTape(
  session: Session,
  command: { companyId: string; beforeCutOffDate: string },
): Promise<LoanTape | null> {
  return session.em.findOne(
    LoanTape,
    {
      companyId: command.companyId,
      cutOffDate: { $lt: command.beforeCutOffDate },
      generationId: { $ne: null },
      status: 'Active',
    },
    { orderBy: [{ cutOffDate: 'desc' }, { publishedAt: 'desc' }, { id: 'desc' }] },
  );
}

/** Earlier tapes of the company that are still to settle: tapes of one company settle one after another. */
export async function earlierTapesInWork(session: Session, tapeId: string): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select earlier.id from loan_tapes t join loan_tapes earlier on earlier.company_id = t.company_id
     where t.id = $1 and earlier.id <> t.id and earlier.status = 'Active'
       and earlier.scheduler_status = 'Processing' and earlier.generation_id is null
       and (earlier.cut_off_date, earlier.code) < (t.cut_off_date, t.code)
     order by earlier.cut_off_date, earlier.code`,
    [tapeId],
  );
  return rows.map((row) => row.id);
}

/** Where the borrowing bases that the upload asked for stand, one entry a note; replaces what was there. */
export async function setBorrowingBaseStatuses(
  session: Session,
  command: { tapeId: string; statuses: BorrowingBaseStatus[] },
): Promise<void> {
  const rows = await session.query(
    `update loan_tapes set borrowing_base_statuses = $2::jsonb where id = $1 and status = 'Active' returning id`,
    [command.tapeId, JSON.stringify(command.statuses)],
  );
  if (rows.length === 0) throw new Refusal('notFound');
}

/**
 * Removes a tape (soft: history keeps it) and forgets its generations; the caller deletes their objects by the prefix
 * answered. A borrower may remove only their own unpublished tapes, which `onlyUnpublished` says.
 */
export async function removeTape(
  session: Session,
  command: { id: string; onlyUnpublished?: boolean },
): Promise<{ id: string; objectPrefix: string; resultKeys: string[] }> {
  const tape = await getTape(session, command.id);
  if (command.onlyUnpublished && tape.generationId) {
    throw new Refusal('badRequest', 'This tape is published: only its manager can remove it');
  }
  tape.status = 'Removed';
  tape.schedulerStatus = 'Completed';
  tape.generationId = null;
  tape.publishedAt = null;
  tape.fence += 1;
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  const removed = await session.query<{ result_key: string | null }>(
    `update borrowing_bases set status = 'Removed' where tape_id = $1 returning result_key`,
    [tape.id],
  );
  await session.query(`update tape_generations set status = 'Superseded' where tape_id = $1 and status = 'Published'`, [
    tape.id,
  ]);
  return {
    id: tape.id,
    objectPrefix: tapeObjectPrefix(tape.id),
    resultKeys: removed.flatMap((row) => row.result_key ?? []),
  };
}

/** Object keys of everything that a tape's processing writes begin so; no bucket that people upload to does. */
export const tapeObjectPrefix = (tapeId: string): string => `lake/${tapeId}/`;

/** Objects of one attempt: no other attempt writes there. */
export const generationPrefix = (tapeId: string, generationId: string): string =>
  `${tapeObjectPrefix(tapeId)}${generationId}/`;
