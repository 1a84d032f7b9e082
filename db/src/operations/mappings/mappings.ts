import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type Mapping as MappingBody, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { type MappingRule, mappingRuleSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { addStatusWords, knowsStatus, readStatusSteps, type StatusWord } from '@tapeline/domain/tapes/status-words.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Mapping } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { currencyOfCompany, getCompany } from '../companies/companies.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument, listDocuments, type Page } from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

export const MAPPINGS = listOf(
  'assetsETLs',
  {
    family: 't.family_id',
    version: 't.mapping_version',
  },
  {
    aliases: { mappingVersion: 'version' },
  },
);

const bodyOf = (body: MappingBody) => ({
  primaryCurrency: body.primaryCurrency,
  cutOffDate: body.cutOffDate,
  loanTapeSheetName: body.loanTapeSheetName,
  extractedOriginColsFromLoanTape: [...body.extractedOriginColsFromLoanTape],
  rules: body.rules,
});

/**
 * Creates the first version of a new mapping of the company.
 * @param command.body as `parseMapping` returns it; without a currency, it has the company's
 */
export async function createMapping(
  session: Session,
  command: { companyId: string; body: Omit<MappingBody, 'primaryCurrency'> & { primaryCurrency?: string | undefined } },
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
    ...bodyOf({
      ...command.body,
      primaryCurrency: command.body.primaryCurrency ?? currencyOfCompany(company, 'primaryCurrency'),
    }),
  });
  await session.em.flush();
  return mapping;
}

/**
 * Saves a changed mapping as the next version of its family; earlier versions do not change, because their assets refer
 * to them. Saving one that equals the latest returns the latest.
 * @param command.mappingVersion the version that was changed: it must be the latest
 * @throws Refusal notFound; badRequest with a flag on `version` if someone saved a later one in the meantime
 */
export async function saveMappingVersion(
  session: Session,
  command: { id: string; mappingVersion: number; body: MappingBody },
): Promise<Mapping> {
  requirePermission(session, 'assets/ETL/write');
  const changed = await getDocument(session, MAPPINGS, command.id);
  // One writer per family at a time: the holder of the lock can use the next number.
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mapping/${changed.familyId}`]);
  const latest = await session.em.findOne(
    Mapping,
    { familyId: changed.familyId },
    { orderBy: { mappingVersion: 'desc' }, refresh: true },
  );
  if (!latest) throw staleRefusal();
  // Each version is a document of its own.
  if (latest.mappingVersion !== command.mappingVersion) {
    const { id, metadata, mappingVersion } = latest;
    throw staleRefusal({ id, metadata, version: mappingVersion }, command.mappingVersion);
  }
  if (isDeepStrictEqual(storedMapping(latest), command.body)) return latest;
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
 * Saves the mapping's next version with cases for words of a tape that it did not map to a status.
 * @param command.id a version of the mapping; the latest one is changed
 * @throws Refusal notFound; badRequest if its status is not computed by a switch on the column, or it already knows the
 *   words
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
      `Version ${latest.mappingVersion} of the mapping cannot be extended with these statuses. Edit its asset status rule`,
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
 * The words that the latest version of a mapping does not map to a status either, and that version's number. No words
 * if the mapping's status is not computed by a switch on the column.
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

/** A page of the visible mappings, every version of each. */
export async function listMappings(session: ReadSession, query: unknown = {}): Promise<Page<Mapping>> {
  return listDocuments(session, MAPPINGS, query);
}

export const getMapping = (session: Session, id: string): Promise<Mapping> => getDocument(session, MAPPINGS, id);

/** The default mapping for a tape of the company: the latest saved. Null if there is none. */
export async function latestMappingOf(session: Session, companyId: string): Promise<Mapping | null> {
  return session.em.findOne(Mapping, { companyId, status: 'Active' }, { orderBy: [{ code: 'desc' }] });
}

/** The mapping for an upload: the one it specifies, of this company, or the company's latest. */
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
    throw new Refusal('badRequest', 'This mapping does not belong to the borrower', {
      flags: { assetsETL: 'is not a mapping of this borrower' },
    });
  }
  const latest = await latestMappingOf(session, command.companyId);
  if (latest) return latest;
  throw new Refusal('badRequest', 'The borrower has no mapping yet. Create one, then upload the tape', {
    flags: { assetsETL: 'is required, since the borrower has no mapping yet' },
  });
}

/** Every version of the family of this mapping, latest first. */
export const versionsOfMapping = (session: Session, mapping: Pick<Mapping, 'familyId'>): Promise<Mapping[]> =>
  session.em.find(Mapping, { familyId: mapping.familyId }, { orderBy: { mappingVersion: 'desc' }, limit: 50 });

/** A page of the versions in use, last saved first, with the number of mappings and of their companies. */
export async function listMappingsInUse(
  session: Session,
  command: { skip: number; limit: number },
): Promise<{ mappings: Mapping[]; total: number; companies: number }> {
  const latest = `
    select distinct on (family_id) id, company_id, code from mappings where status <> 'Removed'
    order by family_id, mapping_version desc`;
  const [counted] = await session.query<{ total: number; companies: number }>(
    `select count(*)::int as total, count(distinct company_id)::int as companies from (${latest}) as latest`,
  );
  const page = await session.query<{ id: string }>(
    `select id from (${latest}) as latest order by code desc offset $1 limit $2`,
    [command.skip, command.limit],
  );
  const ids = page.map(({ id }) => id);
  return {
    mappings: await session.em.find(Mapping, { id: { $in: ids } }, { orderBy: { code: 'desc' } }),
    total: counted?.total ?? 0,
    companies: counted?.companies ?? 0,
  };
}

/** A saved version of a mapping, as shown in a picker. */
export interface MappingChoice {
  id: string;
  companyId: string;
  version: number;
  sheet: string;
  currency: string;
  savedAt: string;
}

const CHOICE_COLUMNS = `t.id, t.company_id as "companyId", t.mapping_version as version,
  t.loan_tape_sheet_name as sheet, t.primary_currency as currency, t.metadata ->> 'iat' as "savedAt"`;
/** As screens show it: "version 3, sheet Tape" or "v3, sheet Tape". */
const CHOICE_LABEL = `concat('version ', t.mapping_version, ', v', t.mapping_version, ', sheet ', t.loan_tape_sheet_name)`;

/** A page of the saved versions of these companies' mappings for a picker, last saved first. */
export const mappingChoices = (
  session: ReadSession,
  query: ChoiceQuery & { companyIds: readonly string[] },
): Promise<Choices<MappingChoice>> =>
  findChoices(session, query, {
    read: 'assets/ETL/read',
    columns: CHOICE_COLUMNS,
    offered: `mappings t where t.company_id = any ($1) and t.status <> 'Removed'`,
    values: [[...query.companyIds]],
    label: CHOICE_LABEL,
    order: 't.code desc, t.id',
  });

/** The latest versions of several companies' mappings, last saved first, at most `limit` for each company. */
export const latestMappingsOfEach = (
  session: ReadSession,
  command: { companyIds: readonly string[]; limit: number },
): Promise<MappingChoice[]> =>
  session.query<MappingChoice>(
    `select ${CHOICE_COLUMNS} from (
       select *, row_number() over (partition by company_id order by code desc) as place
       from mappings where company_id = any ($1) and status <> 'Removed'
     ) as t where place <= $2 order by t.code desc`,
    [[...command.companyIds], command.limit],
  );

/**
 * The company's mappings, last saved first: a mapping for a new tape can learn from them. Rules that later versions of
 * the product no longer accept are left out.
 */
export async function earlierMappingsOf(
  session: Session,
  companyId: string,
): Promise<{ rules: MappingRule[]; primaryCurrency: string }[]> {
  const mappings = await session.em.find(Mapping, { companyId }, { orderBy: { code: 'desc' }, limit: 10 });
  return mappings.map(({ rules, primaryCurrency }) => ({
    rules: rules.flatMap((rule) => mappingRuleSchema.safeParse(rule).data ?? []),
    primaryCurrency,
  }));
}
