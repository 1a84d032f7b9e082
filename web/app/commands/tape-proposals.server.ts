import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { uploadedFile } from '@tapeline/db/operations/files/files.ts';
import { earlierMappingsOf, latestMappingOf } from '@tapeline/db/operations/mappings/mappings.ts';
import { knownBorrowers } from '@tapeline/db/operations/tapes/known-borrowers.ts';
import type { Session } from '@tapeline/db/store.ts';
import { calendarDateOf, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal, nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { mayHoldSheet, NO_TAPE } from '@tapeline/domain/files/file-types.ts';
import { can, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';
import { checkHeaders } from '@tapeline/domain/tapes/headers.ts';
import type { LatestRowCounts } from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { type Mapping, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { borrowerWords, proposeBorrower, proposeName } from '@tapeline/domain/tapes/propose/borrower.ts';
import { proposeCutOffDate } from '@tapeline/domain/tapes/propose/cut-off-date.ts';
import type { ProposedFile, Sourced } from '@tapeline/domain/tapes/propose/sources.ts';
import type { MappingRule } from '@tapeline/domain/tapes/rule.schema.ts';
import type { RuleSuggestion } from '@tapeline/domain/tapes/suggest/rule-suggestion.ts';
import { type OtherSheet, otherSheet } from '@tapeline/domain/tapes/suggest/sheet-kind.ts';
import { currencyOfTape, suggestMapping } from '@tapeline/domain/tapes/suggest/suggest-mapping.ts';
import type { SheetHead } from '@tapeline/workflows/preview/preview.ts';
import type { RequestContext } from '../http/context.ts';
import { countLatestRows } from './latest-rows.server.ts';
import { inspectFile, samplesOf } from './previews.server.ts';
import { triedSuggestions } from './tried-suggestions.server.ts';

/** Files that are read at the same time, so that a person's other previews find room. */
const AT_ONCE = 2;
/** How long a person waits for one file. */
const INSPECT_WITHIN_MS = 30_000;

/** What a person decided about a file, instead of what is proposed. */
export interface Decided {
  readonly fileId: string;
  /** `null` for a company that is not known yet; undefined for the proposed one. */
  readonly companyId?: string | null | undefined;
  readonly cutOffDate?: string | undefined;
  readonly sheetName?: string | undefined;
}

/** What is proposed for a file that can be a tape. */
export interface TapeProposal {
  readonly fileId: string;
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  /** False if no worker could read the file, so that only its name is known. */
  readonly isRead: boolean;
  /** Not a tape, and what it is instead; null for a tape. */
  readonly other: OtherSheet | null;
  /** What would remain of a row for each loan and month; null if it was not counted, or if the file is something else. */
  readonly latest: LatestRowCounts | null;
  readonly company: (Sourced<string> & { readonly name: string }) | null;
  /** A name for a company that is not known yet. */
  readonly newName: string;
  readonly cutOffDate: ReturnType<typeof proposeCutOffDate>;
  readonly currency: Sourced<string> | null;
  readonly sheets: readonly string[];
  readonly sheetName: string;
  readonly headerRow: number | null;
  readonly headers: readonly string[];
  /** The company's mapping, with the columns that it reads and the file lacks or repeats: with none, it fits. */
  readonly mapping: { readonly id: string; readonly version: number; readonly lacking: readonly string[] } | null;
  /** The rules of the mapping, or, without one that fits, those that are suggested. */
  readonly rules: readonly RuleSuggestion[];
  /** Currency of amounts that name none. */
  readonly primaryCurrency: string | null;
}

/** A file that cannot be read as a tape. */
export interface RefusedProposal {
  readonly fileId: string;
  readonly key: string;
  readonly name: string;
  readonly problem: string;
}

export type Proposal = TapeProposal | RefusedProposal;

/**
 * Proposes for each uploaded file: its borrower, cut-off date, currency, sheet and mapping, each with where it comes
 * from. Nothing is stored.
 * @param decided the files, with what a person has already decided
 * @param options.isReadLater whether a file that no worker can read now is proposed for by its name alone
 * @returns in their order; a file that cannot be read has a `problem`
 * @throws Refusal badRequest for a file that is not uploaded; tooMany and serverError as previews do
 */
export async function proposeTapes(
  context: RequestContext,
  actor: UserActor,
  decided: readonly Decided[],
  { isReadLater = false }: { isReadLater?: boolean } = {},
): Promise<Proposal[]> {
  const files = await context.store.as(actor, async (session) => {
    const found: StoredFile[] = [];
    for (const { fileId } of decided) {
      found.push(await uploadedFile(session, { bucket: 'loanTapes', keyOrId: fileId }));
    }
    return found;
  });
  const proposals: Proposal[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const some = files.slice(start, start + AT_ONCE);
    proposals.push(
      ...(await Promise.all(
        some.map((file, index) => proposeFile({ context, actor }, file, { ...decided[start + index]!, isReadLater })),
      )),
    );
  }
  return proposals;
}

interface Proposing {
  readonly context: RequestContext;
  readonly actor: UserActor;
}

async function proposeFile(
  asker: Proposing,
  file: StoredFile,
  decided: Decided & { readonly isReadLater: boolean },
): Promise<Proposal> {
  const about = { fileId: file.id, key: file.key, name: file.name };
  if (!mayHoldSheet(file.type)) return { ...about, problem: NO_TAPE };
  const sized = { ...about, bytes: Number(file.size ?? 0) };
  try {
    const head = await headOf(asker, file.id, { sheetName: decided.sheetName || null });
    return { ...sized, ...(await proposeSheet(asker, file, head, decided)) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const isBusy = error.code === 'tooMany' || error.code === 'serverError';
    if (!isBusy) return { ...about, problem: error.message };
    if (!decided.isReadLater) throw error;
    return { ...sized, ...(await proposeSheet(asker, file, null, decided)) };
  }
}

const headOf = (asker: Proposing, fileId: string, sheet: { sheetName: string | null; isMappingsSheet?: boolean }) =>
  inspectFile(asker, { fileId, ...sheet, isSurveyed: true }, { withinMs: INSPECT_WITHIN_MS });

type SheetProposal = Omit<TapeProposal, 'fileId' | 'key' | 'name' | 'bytes'>;

/** @param found null if no worker can read the file now */
async function proposeSheet(
  asker: Proposing,
  { id: fileId, name: fileName }: StoredFile,
  found: SheetHead | null,
  decided: Decided,
): Promise<SheetProposal> {
  const nameOf = (head: SheetHead | null): ProposedFile => ({
    fileName,
    sheetName: head?.kind === 'xlsx' ? head.sheetName : null,
    titles: head?.titles ?? [],
  });
  const known = await asker.context.store.as(asker.actor, async (session) => {
    const company = await companyOf(session, nameOf(found), headersOf(found), decided);
    return { company, ...(company ? await mappingsOf(session, company.value) : NO_MAPPINGS) };
  });
  const { company, latest, earlier } = known;
  const head = decided.sheetName ? found : await onMappingsSheet(asker, fileId, found, latest);
  const [file, headers, columns] = [nameOf(head), headersOf(head), head ? samplesOf(head) : []];
  const other = otherSheet(columns);
  const named = currencyOfTape(columns);
  const currency = currencyFrom(named, company?.currency, latest?.primaryCurrency);
  const problems = latest && head && checkHeaders(planMapping(latest), headers);
  const lacking = problems ? [...problems.missing, ...problems.duplicated] : [];
  const cutOffDate = isCalendarDate(decided.cutOffDate)
    ? { value: decided.cutOffDate, source: 'chosen' as const, text: '', others: [] }
    : proposeCutOffDate(file, columns);
  const primaryCurrency = named ?? currency?.value ?? null;
  const isFitting = latest !== null && lacking.length === 0;
  return {
    isRead: head !== null,
    other,
    latest: head && other?.kind === 'rowPerMonth' ? await latestOf(asker, fileId, head, other) : null,
    company,
    newName: proposeName(file),
    cutOffDate,
    currency,
    sheets: (head?.sheets ?? []).filter(({ hidden }) => !hidden).map(({ name }) => name),
    sheetName: head?.sheetName ?? '',
    headerRow: head?.headerRow ?? null,
    headers,
    mapping: latest && { id: latest.id, version: latest.version, lacking },
    rules: isFitting
      ? storedRules(asker.actor, latest)
      : head
        ? await triedSuggestions(asker, suggestMapping({ columns, earlier }), {
            fileId,
            sheetName: head.sheetName,
            cutOffDate: cutOffDate?.value ?? today(),
            // Only the form of amounts is tried, which is the same in each currency.
            primaryCurrency: primaryCurrency ?? 'USD',
          })
        : [],
    primaryCurrency,
  };
}

const headersOf = (head: SheetHead | null): string[] => head?.columns.map(({ header }) => header) ?? [];

/** A proposal does not depend on these counts, which are made again when the rows are chosen. */
const latestOf = (
  asker: Proposing,
  fileId: string,
  { sheetName }: SheetHead,
  { id: idColumn, month: monthColumn }: Extract<OtherSheet, { kind: 'rowPerMonth' }>,
): Promise<LatestRowCounts | null> =>
  countLatestRows(asker, { fileId, sheetName, idColumn, monthColumn, upTo: null }).catch(nullIfRefused);

/** The sheet that the company's mapping reads, if the workbook has it; otherwise the one that looks most like a tape. */
async function onMappingsSheet(
  asker: Proposing,
  fileId: string,
  head: SheetHead | null,
  mapping: FoundMappings['latest'],
): Promise<SheetHead | null> {
  if (!mapping || head?.kind !== 'xlsx' || head.sheets.length === 1) return head;
  const { loanTapeSheetName: sheetName } = mapping;
  if (head.sheetName === sheetName) return head;
  return (await headOf(asker, fileId, { sheetName, isMappingsSheet: true }).catch(nullIfRefused)) ?? head;
}

const mayRead = ({ actor }: Session, permission: PermissionKey): boolean =>
  actor.kind === 'user' && can(actor, permission);

interface FoundCompany extends Sourced<string> {
  readonly name: string;
  readonly currency: string | null;
}

/** The company of a file: the person's choice, that of a borrower's account, or the one that the file names. */
async function companyOf(
  session: Session,
  file: ProposedFile,
  headers: readonly string[],
  { companyId }: Decided,
): Promise<FoundCompany | null> {
  if (companyId === null) return null;
  const { actor } = session;
  const own = actor.kind === 'user' ? actor.companyId : null;
  const proposed = async () =>
    mayRead(session, 'companies/read')
      ? proposeBorrower(file, await knownBorrowers(session, { words: borrowerWords(file), headers }))
      : null;
  const found: Sourced<string> | null = own
    ? { value: own, source: 'account', text: '' }
    : companyId
      ? { value: companyId, source: 'chosen', text: '' }
      : await proposed();
  if (!found) return null;
  const { entity } = await getCompany(session, found.value);
  return { ...found, name: entity.name, currency: entity.business?.currency ?? null };
}

const today = (): string => calendarDateOf(new Date());

/** The rules of a mapping, for those who may read mappings. */
const storedRules = (actor: UserActor, { rules, version }: NonNullable<FoundMappings['latest']>): RuleSuggestion[] =>
  can(actor, 'assets/ETL/read')
    ? rules.map((rule) => ({ rule, confidence: 1, reason: `Version ${version} of the borrower’s mapping`, isOn: true }))
    : [];

interface FoundMappings {
  readonly latest: (Mapping & { readonly id: string; readonly version: number }) | null;
  readonly earlier: readonly (readonly MappingRule[])[];
}

const NO_MAPPINGS: FoundMappings = { latest: null, earlier: [] };

async function mappingsOf(session: Session, companyId: string): Promise<FoundMappings> {
  const latest = await latestMappingOf(session, companyId);
  const earlier = mayRead(session, 'assets/ETL/read') ? await earlierMappingsOf(session, companyId) : [];
  return {
    latest: latest && {
      ...parseMapping({
        ...pick(latest, 'rules', 'loanTapeSheetName', 'primaryCurrency', 'extractedOriginColsFromLoanTape'),
      }),
      id: latest.id,
      version: latest.mappingVersion,
    },
    earlier: earlier.map(({ rules }) => rules),
  };
}

function currencyFrom(
  file: string | null,
  company: string | null | undefined,
  mapping: string | undefined,
): Sourced<string> | null {
  if (company) return { value: company, source: 'company', text: '' };
  if (file) return { value: file, source: 'cells', text: '' };
  return mapping ? { value: mapping, source: 'mapping', text: '' } : null;
}
