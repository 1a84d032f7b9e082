import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import {
  BORROWING_BASE_TRANSITIONS,
  GENERATION_TRANSITIONS,
  SCHEDULER_TRANSITIONS,
  TAPE_TRANSITIONS,
} from '@tapeline/domain/tapes/states.ts';
import type { OnDoubt } from '@tapeline/domain/tapes/tape.schema.ts';
import type { SettledQuestion, TapeQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { LoanTape } from '../../entities/tapes.ts';
import { newAssetPrefix, newId } from '../../ids.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { getCompany } from '../companies/companies.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { mappingForUpload } from '../mappings/mappings.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { completeFailedTape } from '../outbox/tape-mails.ts';
import { isBorrower, refuseBorrower, requirePermission } from '../permission.ts';
import { notesForTape } from '../transactions/transactions.ts';
import { outdateProposals } from './proposal-states.ts';

export const LOAN_TAPES = listOf('loanTapes', {
  assetsETL: 't.mapping_id',
  published: '(t.generation_id is not null)',
  'counts.dataRows': "(t.counts ->> 'dataRows')::bigint",
  'counts.assets': "(t.counts ->> 'assets')::bigint",
  'counts.errored': "(t.counts ->> 'errored')::bigint",
});

/** The message for a borrower who requests a borrowing base. */
const CALCULATING = 'Only the manager can calculate a borrowing base: send calculateBB as false';

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
  /** Defaults to the company's latest mapping. */
  mappingId?: string | null;
  /** With open questions, the tape is stored and not processed until they are answered. */
  questions?: readonly TapeQuestion[];
  settledQuestions?: readonly SettledQuestion[];
  /** Defaults to publishing it. */
  onDoubt?: OnDoubt;
}

/**
 * Registers a tape whose processing is about to begin (Processing, Pending), or that waits for answers (Completed,
 * Pending).
 * @throws Refusal notFound for a company that the actor cannot see; forbidden for a borrower who requests the borrowing
 *   base; badRequest if there is no mapping
 */
export async function createTape(session: Session, command: NewTape): Promise<LoanTape> {
  const { questions = [], settledQuestions = [] } = command;
  const company = await getCompany(session, command.companyId);
  if (command.calculateBB) refuseBorrower(session, CALCULATING);
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
    workflowId: WORKFLOW_IDS.tape(id),
    ...(questions.length > 0 ? { schedulerStatus: 'Completed' as const } : {}),
    questions: [...questions],
    settledQuestions: [...settledQuestions],
    onDoubt: command.onDoubt ?? 'publish',
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return tape;
}

export const listTapes = (session: ReadSession, query: unknown = {}): Promise<Page<LoanTape>> =>
  listDocuments(session, LOAN_TAPES, query);

/** A tape as a picker offers it. */
export interface TapeChoice {
  id: string;
  name: string;
  cutOffDate: string;
}

/** A page of a company's tapes for a picker, latest cut-off date first. @param query.published only published ones */
export const tapeChoices = (
  session: ReadSession,
  query: ChoiceQuery & { companyId: string; published?: boolean },
): Promise<Choices<TapeChoice>> =>
  findChoices(session, query, {
    read: 'assets/read',
    columns: `t.id, t.attachment ->> 'name' as name, t.cut_off_date::text as "cutOffDate"`,
    offered: `loan_tapes t where t.company_id = $1 and t.status <> 'Removed'
      and (not $2::boolean or t.generation_id is not null)`,
    values: [query.companyId, query.published ?? false],
    label: `concat(t.attachment ->> 'name', ' ', t.cut_off_date, ' ', to_char(t.cut_off_date, 'Mon FMDD, YYYY'))`,
    order: 't.cut_off_date desc, t.published_at desc nulls last, t.id desc',
  });

/** A tape that the actor can see and that is not removed. @throws Refusal notFound */
export async function getTape(session: Session, id: string): Promise<LoanTape> {
  const tape = await getDocument(session, LOAN_TAPES, id);
  if (tape.status === 'Removed') throw new Refusal('notFound');
  return tape;
}

/** A removed tape that the actor can see. Null if there is none. */
export const findRemovedTape = (session: Session, id: string): Promise<LoanTape | null> =>
  session.em.findOne(LoanTape, { id, status: 'Removed' });

/** The tape of an asset, by the first 16 digits of the asset's id. Null if the actor can see none. */
export async function findTapeByAssetPrefix(session: Session, assetPrefix: string): Promise<LoanTape | null> {
  return session.em.findOne(LoanTape, { assetPrefix, status: 'Active' });
}

/** Whether a tape, including removed ones, was created from the file or has it as an additional attachment. */
export async function isAttached(session: Session, file: { key: string }): Promise<boolean> {
  const rows = await session.query(
    `select 1 from loan_tapes where attachment ->> 'key' = $1
       or other_attachments @> jsonb_build_array(jsonb_build_object('key', $1::text)) limit 1`,
    [file.key],
  );
  return rows.length > 0;
}

/** Stores the name of the tape's sheet, if the mapping has it under another month's name. */
export async function keepTapeSheet(session: Session, command: { tapeId: string; sheetName: string }): Promise<void> {
  const tape = await getTape(session, command.tapeId);
  tape.sheetName = command.sheetName;
  await session.em.flush();
}

/** Tapes that are still being processed, in upload order. */
export async function listTapesInProgress(session: Session): Promise<LoanTape[]> {
  return session.em.find(LoanTape, { schedulerStatus: 'Processing', status: 'Active' }, { orderBy: { code: 'asc' } });
}

/** Whether the ids of a generation are row numbers, which say nothing on another tape. */
const HAS_UNSTABLE_IDS = `g.manifest ? 'unstableIds'`;

/** The ids of those tapes whose published assets are not compared with other tapes, because their ids are row numbers. */
export async function tapesWithUnstableIds(
  session: ReadSession,
  tapes: readonly Pick<LoanTape, 'generationId'>[],
): Promise<ReadonlySet<string>> {
  const generationIds = tapes.flatMap(({ generationId }) => generationId ?? []);
  if (generationIds.length === 0) return new Set();
  const rows = await session.query<{ id: string }>(
    `select g.tape_id as id from tape_generations g where g.id = any($1) and ${HAS_UNSTABLE_IDS}`,
    [generationIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * The company's published tape with the latest cut-off date before this one. Null if there is none.
 * @param query.hasStableIds only tapes whose assets can be found by their ids, as Consistent checks do
 */
export async function previousPublishedTape(
  session: ReadSession,
  {
    companyId,
    beforeCutOffDate,
    hasStableIds = false,
  }: { companyId: string; beforeCutOffDate: string; hasStableIds?: boolean },
): Promise<LoanTape | null> {
  const [found] = await findDocuments(
    session,
    LoanTape,
    `where t.company_id = $1 and t.cut_off_date < $2 and t.generation_id is not null and t.status = 'Active'
       and not ($3 and exists (select from tape_generations g where g.id = t.generation_id and ${HAS_UNSTABLE_IDS}))
     order by t.cut_off_date desc, t.published_at desc, t.id desc limit 1`,
    [companyId, beforeCutOffDate, hasStableIds],
  );
  return found ?? null;
}

const IS_UNPUBLISHED = (tape: string) =>
  `${tape}.status = 'Active' and ${tape}.scheduler_status = 'Processing' and ${tape}.generation_id is null`;

/**
 * Earlier tapes of the company that are still in progress: the tapes of a company are finalized one after another. None
 * for a tape that is published: a step that is repeated after it waits for nothing that was sent since.
 */
export async function earlierTapesInProgress(session: ReadSession, tapeId: string): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select earlier.id from loan_tapes t join loan_tapes earlier on earlier.company_id = t.company_id
     where t.id = $1 and t.generation_id is null and earlier.id <> t.id and ${IS_UNPUBLISHED('earlier')}
       and (earlier.cut_off_date, earlier.code) < (t.cut_off_date, t.code)
     order by earlier.cut_off_date, earlier.code`,
    [tapeId],
  );
  return rows.map((row) => row.id);
}

/** The first later tape of the company that is still in progress; null if there is none. */
export async function nextTapeInProgress(session: ReadSession, tapeId: string): Promise<string | null> {
  const [next] = await session.query<{ id: string }>(
    `select later.id from loan_tapes t join loan_tapes later on later.company_id = t.company_id
     where t.id = $1 and later.id <> t.id and ${IS_UNPUBLISHED('later')}
       and (later.cut_off_date, later.code) > (t.cut_off_date, t.code)
     order by later.cut_off_date, later.code limit 1`,
    [tapeId],
  );
  return next?.id ?? null;
}

/**
 * Tapes that wait to be finalized although no earlier tape of their company is in progress any more. Called as the
 * program.
 */
export async function tapesInTurn(session: ReadSession): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select t.id from loan_tapes t where ${IS_UNPUBLISHED('t')} and t.progress ->> 'stage' = 'finalize'
       and not exists (select 1 from loan_tapes earlier where earlier.company_id = t.company_id
         and earlier.id <> t.id and ${IS_UNPUBLISHED('earlier')}
         and (earlier.cut_off_date, earlier.code) < (t.cut_off_date, t.code))
     order by t.id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes a tape (soft delete: the history is kept). The objects that its attempts stored are not needed from then on.
 * A borrower can remove only their own unpublished tapes.
 * @throws Refusal notFound; forbidden for a borrower whose tape is published
 */
export async function removeTape(session: Session, command: { id: string }): Promise<{ id: string }> {
  const tape = await requireRemovable(session, command.id);
  TAPE_TRANSITIONS.require(tape.status, 'Removed');
  tape.status = 'Removed';
  tape.schedulerStatus = SCHEDULER_TRANSITIONS.enter(tape.schedulerStatus, 'Completed');
  tape.generationId = null;
  tape.publishedAt = null;
  tape.fence += 1;
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  await session.query(`update borrowing_bases set status = 'Removed' where tape_id = $1 and status = any ($2)`, [
    tape.id,
    BORROWING_BASE_TRANSITIONS.sourcesOf('Removed'),
  ]);
  await supersedePublished(session, tape.id);
  await outdateProposals(session, tape.id, null);
  await completeFailedTape(session, tape.id);
  return { id: tape.id };
}

/** The published attempt of the tape, if there is one, no longer is: a later attempt replaces it, or the tape is removed. */
export async function supersedePublished(session: Session, tapeId: string): Promise<void> {
  await session.query(`update tape_generations set status = 'Superseded' where tape_id = $1 and status = any ($2)`, [
    tapeId,
    GENERATION_TRANSITIONS.sourcesOf('Superseded'),
  ]);
}

/** A tape that the actor can remove. @throws Refusal notFound; forbidden for a borrower whose tape is published */
export async function requireRemovable(session: Session, id: string): Promise<LoanTape> {
  const tape = await getTape(session, id);
  if (tape.generationId && isBorrower(session)) {
    throw new Refusal('forbidden', 'This tape is published: only its manager can remove it');
  }
  return tape;
}

/**
 * A published tape whose borrowing bases can be calculated.
 * @throws Refusal notFound; forbidden for a borrower; badRequest if it is not published, or no note of the company has
 *   a contract that applies
 */
export async function requireCalculable(session: Session, id: string): Promise<LoanTape> {
  requirePermission(session, 'assets/write');
  const tape = await getTape(session, id);
  refuseBorrower(session, 'Only the manager can calculate a borrowing base');
  if (!tape.generationId) {
    throw new Refusal('badRequest', 'The tape has no published assets yet; wait until processing is complete');
  }
  const notes = await notesForTape(session, tape);
  if (!notes.some(({ contract }) => contract)) {
    const on = formatCalendarDate(tape.cutOffDate);
    const message =
      notes.length === 0
        ? 'The borrower has no facility with a note, so there is no borrowing base to calculate'
        : `No Active contract applies on ${on} for ${notes.map((note) => `${note.transactionTitle}, ${note.noteTitle}`).join('; ')}`;
    throw new Refusal('badRequest', message, { flags: { loanTapeId: 'has no applicable contract' } });
  }
  return tape;
}

/** The prefix of all object keys that a tape's processing writes; no upload bucket has it. */
const tapeObjectPrefix = (tapeId: string): string => `lake/${tapeId}/`;

/** The prefix of the objects of one attempt; no other attempt writes there. */
export const generationPrefix = (tapeId: string, generationId: string): string =>
  `${tapeObjectPrefix(tapeId)}${generationId}/`;
