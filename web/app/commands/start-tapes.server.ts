import { createCompany } from '@tapeline/db/operations/companies/companies.ts';
import { createMapping, saveMappingVersion } from '@tapeline/db/operations/mappings/mappings.ts';
import { uploadDoubts } from '@tapeline/db/operations/warnings.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { CompanyCreate } from '@tapeline/domain/companies/company.schema.ts';
import { askedRefusal, isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Mapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { TapeUpload, TapeUploadResult } from '@tapeline/domain/tapes/tape.schema.ts';
import type { Screen } from '../http/screen.server.ts';
import { originOf } from '../http/session.server.ts';
import { scheduleTapes } from './upload.server.ts';

/** A tape to create, with the company and the mapping that are created for it. */
export interface TapeStart {
  readonly upload: Omit<TapeUpload, 'companyId'>;
  readonly company: { readonly id: string } | { readonly create: CompanyCreate };
  /** Null for the mapping that the upload names, or for the company's latest. */
  readonly newMapping: {
    readonly body: Mapping;
    /** The mapping whose next version it is; null for a new one. */
    readonly replaces: { readonly id: string; readonly version: number } | null;
  } | null;
}

/**
 * Creates new companies and mappings, and a tape from each file. Asks about everything that looks like a mistake before
 * anything is stored.
 * @throws Refusal as the operations do
 */
export async function startTapes(screen: Screen, starts: readonly TapeStart[]): Promise<TapeUploadResult> {
  const { context, actor, confirmed, request } = screen;
  const origin = originOf(request, context);
  const known = starts.flatMap(({ upload, company, newMapping }) =>
    'id' in company && !newMapping ? [{ ...upload, companyId: company.id }] : [],
  );
  const fresh = starts.filter(({ company, newMapping }) => 'create' in company || newMapping);
  const questions = fresh.length === 0 ? [] : await questionsAbout(screen, fresh);
  if (questions.some((question) => !confirmed.includes(question)) && known.length === 0) throw askedRefusal(questions);
  const results: TapeUploadResult[] = [];
  if (known.length > 0) {
    results.push(await scheduleTapes(context, actor, known, origin, { confirmed, alsoAsk: questions }));
  }
  if (fresh.length > 0) {
    const uploads = await screen.db((session) => createOwners(session, fresh));
    // The mapping was reviewed on the form, and what looks like a mistake is confirmed.
    results.push(await scheduleTapes(context, actor, uploads, origin));
  }
  return {
    uploadedCount: results.reduce((count, each) => count + each.uploadedCount, 0),
    errors: results.flatMap(({ errors }) => errors),
    warnings: results.flatMap(({ warnings }) => warnings),
    loanTapes: results.flatMap(({ loanTapes }) => loanTapes),
    waitsForWorker: results.some(({ waitsForWorker }) => waitsForWorker),
  };
}

/** What would be asked about the new companies, mappings and tapes. Nothing is stored. */
async function questionsAbout({ context, actor, request }: Screen, starts: readonly TapeStart[]) {
  const options = { ...originOf(request, context), confirmed: [], rollback: true };
  try {
    await context.store.as(actor, (session) => createOwners(session, starts), options);
    return [];
  } catch (error) {
    if (!isRefusal(error) || !error.questions) throw error;
    return error.questions;
  }
}

/** Creates each company once, and each mapping once for its company. */
async function createOwners(session: Session, starts: readonly TapeStart[]): Promise<TapeUpload[]> {
  const companies = new Map<string, { id: string; body: string }>();
  const mappings = new Map<string, string>();
  const uploads: TapeUpload[] = [];
  for (const { upload, company, newMapping } of starts) {
    const companyId = 'id' in company ? company.id : await createdOnce(session, companies, company.create);
    const assetsETL = newMapping ? await mappingOf(session, mappings, companyId, newMapping) : upload.assetsETL;
    for (const doubt of await uploadDoubts(session, upload)) {
      session.warn({ documentId: companyId, message: `${upload.attachments[0]?.name ?? ''}: ${doubt}` });
    }
    uploads.push({ ...upload, companyId, ...(assetsETL ? { assetsETL } : {}) });
  }
  return uploads;
}

/** @throws Refusal badRequest if the same name was entered with other details for another file */
async function createdOnce(
  session: Session,
  created: Map<string, { id: string; body: string }>,
  command: CompanyCreate,
): Promise<string> {
  const { entity } = command;
  const name = entity.kind === 'new' ? entity.entity.name : entity.id;
  const body = JSON.stringify(command).toLowerCase();
  const before = created.get(name.toLowerCase());
  if (before && before.body !== body) {
    throw new Refusal('badRequest', `The new borrower ${name} has different details for two files. Enter the same.`);
  }
  const { id } = before ?? (await createCompany(session, command));
  created.set(name.toLowerCase(), { id, body });
  return id;
}

async function mappingOf(
  session: Session,
  made: Map<string, string>,
  companyId: string,
  { body, replaces }: NonNullable<TapeStart['newMapping']>,
): Promise<string> {
  const key = JSON.stringify([companyId, body]);
  const id =
    made.get(key) ??
    (replaces
      ? await saveMappingVersion(session, { id: replaces.id, mappingVersion: replaces.version, body })
      : await createMapping(session, { companyId, body })
    ).id;
  made.set(key, id);
  return id;
}
