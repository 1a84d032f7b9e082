import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Mapping as MappingBody, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { addStatusWords, knowsStatus, readStatusSteps, type StatusWord } from '@tapeline/domain/tapes/status-words.ts';
import { Mapping } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import { type Session, staleRefusal } from '../../store.ts';
import { defineListable, getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { getCompany } from '../people/people.ts';
import { requirePermission } from '../permission.ts';

export const MAPPINGS = defineListable(Mapping, 'mappings', [
  ['company', 'Company', 'text', 't.company_id'],
  ['family', 'Mapping', 'text', 't.family_id'],
  ['mappingVersion', 'Version', 'number', 't.mapping_version'],
  ['primaryCurrency', 'Primary currency', 'text', 't.primary_currency'],
  ['cutOffDate', 'Cut-off date', 'date', 't.cut_off_date'],
  ['loanTapeSheetName', 'Sheet', 'text', 't.loan_tape_sheet_name'],
]);

const bodyOf = (body: MappingBody) => ({
  primaryCurrency: body.primaryCurrency,
  cutOffDate: body.cutOffDate,
  loanTapeSheetName: body.loanTapeSheetName,
  extractedOriginColsFromLoanTape: [...body.extractedOriginColsFromLoanTape],
  rules: body.rules,
});

/** The first version of a new mapping of the company. @param command.body as `parseMapping` gives it */
export async function createMapping(
  session: Session,
  command: { companyId: string; body: MappingBody },
): Promise<Mapping> {
  requirePermission(session, 'assets/ETL/write');
  const company = await getCompany(session, command.companyId);
  const familyId = newId(session.now);
  const mapping = session.em.create(Mapping, {
    id: newId(session.now),
    managerId: company.managerId,
    companyId: company.id,
    familyId,
    mappingVersion: 1,
    metadata: createdMetadata(session),
    ...bodyOf(command.body),
  });
  await session.em.flush();
  return mapping;
}

/**
 * Saves a changed mapping as the next version of its family; earlier versions stay as the assets they made know them.
 * @param command.mappingVersion the version that was changed: it must be the latest
 * @throws Refusal notFound; badRequest with a flag on `version` where someone saved a later one meanwhile
 */
export async function saveMappingVersion(
  session: Session,
  command: { id: string; mappingVersion: number; body: MappingBody },
): Promise<Mapping> {
  requirePermission(session, 'assets/ETL/write');
  const changed = await getDocument(session, MAPPINGS, command.id);
  // One writer a family at a time: the next number is free for whoever holds the lock.
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mapping/${changed.familyId}`]);
  const latest = await session.em.findOne(
    Mapping,
    { familyId: changed.familyId },
    { orderBy: { mappingVersion: 'desc' }, refresh: true },
  );
  if (!latest || latest.mappingVersion !== command.mappingVersion) throw staleRefusal();
  const mapping = session.em.create(Mapping, {
    id: newId(session.now),
    managerId: latest.managerId,
    companyId: latest.companyId,
    familyId: latest.familyId,
    mappingVersion: latest.mappingVersion + 1,
    metadata: createdMetadata(session),
    ...bodyOf(command.body),
  });
  await session.em.flush();
  return mapping;
}

/**
 * Saves the mapping's next version with cases for words of a tape that it knew no status of.
 * @param command.id a version of the mapping; the latest one is changed
 * @throws Refusal notFound; badRequest where its status is not made by a switch of the column, or it knows the words
 */
export async function addStatusesToMapping(
  session: Session,
  command: { id: string; words: readonly StatusWord[] },
): Promise<Mapping> {
  requirePermission(session, 'assets/ETL/write');
  const latest = await latestVersionOf(session, command.id);
  const body = bodyForStatuses(latest, command.words);
  if (!body) {
    throw new Refusal(
      'badRequest',
      `Version ${latest.mappingVersion} of the mapping cannot take these words: open its rule for the status`,
    );
  }
  return saveMappingVersion(session, { id: latest.id, mappingVersion: latest.mappingVersion, body });
}

function bodyForStatuses(mapping: Mapping, words: readonly StatusWord[]): MappingBody | null {
  const body = storedMapping(mapping);
  const index = body.rules.findIndex((rule) => readStatusRule(rule) !== null);
  const read = index < 0 ? null : readStatusRule(body.rules[index]!);
  const serializations = read && addStatusWords(read, words);
  if (!serializations) return null;
  const rules = body.rules.map((rule, place) => (place === index ? { ...rule, serializations } : rule));
  return parseMapping({ ...body, rules });
}

const storedMapping = (mapping: Mapping): MappingBody =>
  parseMapping({
    rules: mapping.rules,
    loanTapeSheetName: mapping.loanTapeSheetName,
    extractedOriginColsFromLoanTape: mapping.extractedOriginColsFromLoanTape,
    cutOffDate: mapping.cutOffDate ?? null,
    primaryCurrency: mapping.primaryCurrency,
  });

const readStatusRule = (rule: MappingBody['rules'][number]) =>
  rule.targetCol === 'assetStatus' && rule.originCol !== null ? readStatusSteps(rule.serializations) : null;

async function latestVersionOf(session: Session, id: string): Promise<Mapping> {
  const mapping = await getMapping(session, id);
  return (await versionsOfMapping(session, mapping))[0] ?? mapping;
}

/**
 * Of these words, those that the latest version of a mapping knows no status of either, and that version; no words where
 * its status is made otherwise than by a switch of the column.
 */
export async function wordsToAdd<Word extends { readonly word: string; readonly column: string }>(
  session: Session,
  command: { id: string; words: readonly Word[] },
): Promise<{ words: Word[]; latest: number }> {
  const latest = await latestVersionOf(session, command.id);
  const rule = storedMapping(latest).rules.find((each) => readStatusRule(each) !== null);
  const read = rule && readStatusRule(rule);
  const words = read
    ? command.words.filter(({ word, column }) => column === rule.originCol && !knowsStatus(read, word))
    : [];
  return { words, latest: latest.mappingVersion };
}

/** Every version in sight; `latestOnly` gives the version in use of each mapping. */
export async function listMappings(session: Session, query: unknown = {}): Promise<Page<Mapping>> {
  return listDocuments(session, MAPPINGS, query);
}

export const getMapping = (session: Session, id: string): Promise<Mapping> => getDocument(session, MAPPINGS, id);

/** The mapping a tape of the company takes when it names none: the latest saved. Null where there is none. */
export async function latestMappingOf(session: Session, companyId: string): Promise<Mapping | null> {
  return session.em.findOne(Mapping, { companyId, status: 'Active' }, { orderBy: [{ code: 'desc' }] });
}

/** The mapping for an upload: the one it names, of this company, or the company's latest. */
export async function mappingForUpload(
  session: Session,
  command: { companyId: string; mappingId?: string | null },
): Promise<Mapping> {
  if (command.mappingId) {
    const named = await session.em.findOne(Mapping, {
      id: command.mappingId,
      companyId: command.companyId,
      status: { $ne: 'Removed' },
    });
    if (named) return named;
    throw new Refusal('badRequest', 'This mapping is not one of the company', {
      flags: { assetsETL: 'is not a mapping of this company' },
    });
  }
  const latest = await latestMappingOf(session, command.companyId);
  if (latest) return latest;
  throw new Refusal('badRequest', 'The company has no mapping yet: make one, then upload the tape', {
    flags: { assetsETL: 'is required, since the company has no mapping yet' },
  });
}

/** Every version of the mapping that this one is of, the latest first. */
export const versionsOfMapping = (session: Session, mapping: Pick<Mapping, 'familyId'>): Promise<Mapping[]> =>
  session.em.find(Mapping, { familyId: mapping.familyId }, { orderBy: { mappingVersion: 'desc' }, limit: 50 });

/** The version in use of each mapping in sight, the last saved first. */
export async function listMappingsInUse(session: Session): Promise<Mapping[]> {
  const latest = await session.query<{ id: string }>(
    `select distinct on (t.family_id) t.id from mappings t where t.status <> 'Removed'
     order by t.family_id, t.mapping_version desc`,
    [],
  );
  return session.em.find(Mapping, { id: { $in: latest.map(({ id }) => id) } }, { orderBy: { code: 'desc' } });
}

/** Rules of the company's mappings, the last saved first: what a mapping for a new tape can learn from. */
export async function earlierRulesOf(session: Session, companyId: string): Promise<unknown[][]> {
  const mappings = await session.em.find(Mapping, { companyId }, { orderBy: { code: 'desc' }, limit: 10 });
  return mappings.map(({ rules }) => rules);
}
