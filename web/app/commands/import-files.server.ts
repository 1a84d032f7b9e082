import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { fileMetadata, uploadedFile } from '@tapeline/db/operations/files/files.ts';
import { checkInRequest, importInRequest } from '@tapeline/db/operations/importer/in-request.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import type { ImportCheck, ImportInput, ImportRow } from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import type { importRequestSchema, importResponseSchema } from '@tapeline/domain/importer/import.schema.ts';
import { FILE_BUCKETS, type ImportKind, isFileKind, MAX_ROWS } from '@tapeline/domain/importer/kinds.ts';
import { formOfSheet, originalRows } from '@tapeline/domain/importer/sheet-rows.ts';
import { headersOf, mappingProblems, suggestColumns } from '@tapeline/domain/importer/suggest-columns.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { readImportFile } from '@tapeline/lake/imports/read-import-file.ts';
import { isMissingObject } from '@tapeline/lake/storage/object-store.ts';
import type { z } from 'zod';
import type { RequestContext } from '../http/context.ts';

/** Each sheet is read in one piece. */
const MAX_SHEETS = 10;
/** Flags of one refusal. The dry run answers all problems. */
const MAX_FLAGS = 200;

interface Caller {
  readonly context: RequestContext;
  readonly actor: UserActor;
  readonly origin: CallOrigin;
}
type Request = z.output<typeof importRequestSchema>;
type Response = z.output<typeof importResponseSchema>;

const atAttachment = (index: number, message: string, cause?: unknown): Refusal =>
  new Refusal('badRequest', message, {
    flags: { [`attachments.${index}`]: message },
    ...(cause === undefined ? {} : { cause }),
  });

/** The uploaded file of an attachment: a sheet, or a PDF that its rows name. */
async function uploaded(
  session: Session,
  kind: ImportKind,
  { key, index }: { key: string; index: number },
): Promise<StoredFile> {
  const buckets: Bucket[] = isFileKind(kind) ? ['importerFiles', FILE_BUCKETS[kind]] : ['importerFiles'];
  for (const bucket of buckets) {
    try {
      return await uploadedFile(session, { bucket, keyOrId: key });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code !== 'notFound') throw atAttachment(index, error.message, error);
    }
  }
  throw atAttachment(index, `The file does not exist. Upload it to ${buckets.join(' or ')} first.`);
}

/** Reads a sheet whose headers are those of the template, or that the caller has mapped on the page before. */
async function rowsOf({ context }: Caller, kind: ImportKind, file: StoredFile, index: number): Promise<ImportRow[]> {
  const table = await readImportFile(context.objects, kind, file).catch((error: unknown) => {
    throw isRefusal(error) && !isMissingObject(error) ? atAttachment(index, error.message, error) : error;
  });
  const { mapping, reasons } = suggestColumns(kind, headersOf(table), {});
  // A column whose meaning is only likely must be confirmed by a person.
  const certain = Object.fromEntries(Object.entries(mapping).filter(([key]) => reasons[key] === 'template'));
  const known = new Set(table.columns.map(({ letters }) => letters));
  const [problem] = Object.entries(mappingProblems(kind, certain, known));
  if (problem) {
    const label = IMPORT_COLUMNS[kind].find(({ key }) => key === problem[0])?.label ?? problem[0];
    throw atAttachment(index, `${file.name} has no column “${label}”. Use the headers of the template.`);
  }
  return originalRows(kind, table, { mapping: certain, form: formOfSheet(kind, table, certain) });
}

async function open(caller: Caller, { kind, attachments, status }: Request): Promise<ImportInput> {
  const { context, actor, origin } = caller;
  const files = await context.store.as(
    actor,
    async (session) => {
      const found: { file: StoredFile; index: number }[] = [];
      for (const [index, { key }] of attachments.entries()) {
        found.push({ file: await uploaded(session, kind, { key, index }), index });
      }
      return found;
    },
    { ...origin, isPreparation: true },
  );
  const sheets = files.filter(({ file }) => file.bucket === 'importerFiles');
  if (sheets.length === 0 || sheets.length > MAX_SHEETS) {
    const message = `Attach 1 to ${MAX_SHEETS} sheets (.xlsx or .csv) of importerFiles`;
    throw new Refusal('badRequest', message, { flags: { attachments: message } });
  }
  const rows: ImportRow[] = [];
  for (const [file, sheet] of sheets.entries()) {
    for (const row of await rowsOf(caller, kind, sheet.file, sheet.index)) rows.push({ ...row, file });
    if (rows.length > MAX_ROWS[kind])
      throw atAttachment(sheet.index, `An import has at most ${MAX_ROWS[kind]} rows, in all files together`);
  }
  if (rows.length === 0) throw atAttachment(sheets[0]?.index ?? 0, 'The sheet has no rows below its headers');
  return {
    kind,
    rows,
    attachments: sheets.map(({ file }) => fileMetadata(file)),
    files: files.filter(({ file }) => file.bucket !== 'importerFiles').map(({ file }) => fileMetadata(file)),
    ...(status ? { status } : {}),
  };
}

const check = ({ context, actor, origin }: Caller, content: ImportInput): Promise<ImportCheck> =>
  context.store.as(actor, (session) => checkInRequest(session, content), { ...origin, rollback: true });

/** The problems of a check, in the order of the rows. The name of a column is that of the template. */
function problemsOf({ kind, rows }: ImportCheck) {
  const labels = new Map(IMPORT_COLUMNS[kind].map(({ key, label }) => [key, label]));
  return rows.flatMap(({ file, row, problems }) =>
    problems.map(({ column, message }) => ({
      file,
      row,
      column: column === null ? null : (labels.get(column) ?? column),
      message,
    })),
  );
}

/** One result for each sheet. @param counted the rows that were, or would be, imported */
const answer = (
  content: ImportInput,
  bulkActionCode: string | null,
  counted: readonly { file: number }[],
  {
    problems = [],
    warnings = [],
  }: { problems?: ReturnType<typeof problemsOf>; warnings?: ImportCheck['warnings'] | undefined },
): Response => ({
  uploadResults: content.attachments.map((attachment, file) => ({
    kind: content.kind,
    uploadedCount: counted.filter((row) => row.file === file).length,
    totalCount: content.rows.filter((row) => row.file === file).length,
    errors: problems.filter((one) => one.file === file).map(({ file: _, ...problem }) => problem),
    warnings: warnings.filter((one) => one.file === file).map(({ row, message }) => ({ row, message })),
    attachment,
  })),
  bulkActionCode,
});

/**
 * What an import of these files would do, without storing anything: `uploadedCount` is the number of rows without a
 * problem.
 * @throws Refusal badRequest with a flag at the attachment that cannot be read
 */
export async function checkFiles(caller: Caller, request: Request): Promise<Response> {
  const opened = await open(caller, request);
  const checked = await check(caller, opened);
  const ready = checked.rows.filter(({ problems }) => problems.length === 0);
  return answer(opened, null, ready, { problems: problemsOf(checked), warnings: checked.warnings });
}

/**
 * Imports the rows of files, all or none.
 * @throws Refusal as `checkFiles` does; badRequest with a flag at each cell that stops the import
 */
export async function importFiles(caller: Caller, request: Request): Promise<Response> {
  const opened = await open(caller, request);
  const { context, actor, origin } = caller;
  try {
    const { record, warnings } = await context.store.as(actor, (session) => importInRequest(session, opened), origin);
    return answer(opened, record.id, opened.rows, { warnings });
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'badRequest') throw error;
    const problems = problemsOf(await check(caller, opened)).slice(0, MAX_FLAGS);
    if (problems.length === 0) throw error;
    const flags = Object.fromEntries(
      problems.map(({ file, row, column, message }) => [`sheets.${file}.rows.${row}.${column ?? ''}`, message]),
    );
    throw new Refusal('badRequest', error.message, { flags, cause: error });
  }
}
