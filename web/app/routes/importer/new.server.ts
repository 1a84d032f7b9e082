import { StoredFile } from '@tapeline/db/entities/records.ts';
import { resolveFile } from '@tapeline/db/operations/files/files.ts';
import { fundsAndClasses, investorsOfFund } from '@tapeline/db/operations/importer/codes.ts';
import { createImportDraft, earlierColumns } from '@tapeline/db/operations/importer/drafts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { emptyDraft, type ImportDraft } from '@tapeline/domain/importer/draft.ts';
import { FILE_BUCKETS, IMPORT_STATUSES, type ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { matchFiles } from '@tapeline/domain/importer/match-files.ts';
import { formOfSheet, textsOf } from '@tapeline/domain/importer/sheet-rows.ts';
import { headersOf, mappingProblems, suggestColumns, withValuesBy } from '@tapeline/domain/importer/suggest-columns.ts';
import { suggestTurn, turned } from '@tapeline/domain/importer/turn-columns.ts';
import { readImportFile } from '@tapeline/lake/imports/read-import-file.ts';
import type { Screen } from '../../http/screen.server.ts';

/** Funds among which reports are matched. */
const MAX_FUNDS = 2_000;

type Status = ImportDraft['status'];
const statusOf = (kind: ImportKind, status: Status | undefined): Status =>
  status ?? IMPORT_STATUSES[kind][0] ?? 'Draft';

/** A problem of the file is shown at the files field. */
const atFiles = (error: unknown): unknown =>
  isRefusal(error) && error.flags?.file
    ? new Refusal('badRequest', error.message, { flags: { files: error.message }, cause: error })
    : error;

/** Reads an uploaded sheet and begins to prepare its import. @returns the draft, and whether its columns are clear */
export async function prepareSheet(
  { db, context }: Pick<Screen, 'db' | 'context'>,
  kind: ImportKind,
  { key, name, status }: { key: string; name: string; status: Status | undefined },
) {
  const file = await db((session) => resolveFile(session, { bucket: 'importerFiles', keyOrId: key }));
  const table = await readImportFile(context.objects, kind, file).catch((error: unknown) => {
    throw atFiles(error);
  });
  if (table.rows.length === 0) {
    const message = `The sheet “${table.sheetName}” has no rows below its headers. Fill it in and upload the file again.`;
    throw new Refusal('badRequest', message, { flags: { files: message } });
  }
  return db(async (session) => {
    const headers = table.columns.map(({ header }) => header);
    const earlier = await earlierColumns(session, { kind, headers });
    const turn = earlier.turn === undefined ? suggestTurn(kind, table) : earlier.turn;
    const read = turned(kind, table, turn);
    const { mapping, reasons } = suggestColumns(kind, headersOf(read), earlier.mapping, turn);
    const { values, valuesBy, written } = earlier;
    const form = formOfSheet(kind, read, mapping, written);
    const known = new Set(read.columns.map(({ letters }) => letters));
    const isClear =
      Object.keys(mappingProblems(kind, mapping, known, withValuesBy(values, valuesBy))).length === 0 &&
      // Another file can have texts for which no value was given.
      Object.values(valuesBy ?? {}).every((by) =>
        textsOf(read, by.letters, new Set()).every((text) => (by.values[text] ?? '') !== ''),
      ) &&
      // A person is to see first what becomes of columns that are turned into rows.
      (turn === null || earlier.turn !== undefined) &&
      Object.values(reasons).every((reason) => reason !== 'name') &&
      form.unclearDate === null &&
      form.unclearNumber === null;
    const { id } = await createImportDraft(session, {
      ...emptyDraft(kind, statusOf(kind, status)),
      sheet: { fileId: file.id, name, bytes: Number(file.size), sheetName: null, headerRow: null, headers },
      turn,
      ...(valuesBy ? { valuesBy } : {}),
      ...(isClear ? { mapping, values, written } : {}),
    });
    return { id, isClear };
  });
}

/** The owners that the PDFs of a draft can have. @throws Refusal notFound for a fund that is not visible */
export async function ownersOf(session: Session, { kind, pdfOf }: Pick<ImportDraft, 'kind' | 'pdfOf'>) {
  if (kind === 'reports') return fundsAndClasses(session, MAX_FUNDS);
  if (!pdfOf?.fundId) throw new Refusal('notFound');
  return investorsOfFund(session, { fundId: pdfOf.fundId, classKey: pdfOf.classKey });
}

const bucketOf = (kind: 'capitalAccounts' | 'reports'): Bucket => FILE_BUCKETS[kind];

/** Begins to prepare an import of PDFs, each matched to its owner by its name. */
export function preparePdfs(
  { db }: Pick<Screen, 'db'>,
  kind: 'capitalAccounts' | 'reports',
  form: {
    files: readonly { key: string; name: string }[];
    date: string;
    fund?: string | undefined;
    classKey?: string | undefined;
    status?: Status | undefined;
  },
) {
  const names = form.files.map(({ name }) => name);
  const doubled = names.find((name, at) => names.indexOf(name) !== at);
  if (doubled !== undefined) {
    const message = `Two files are named ${doubled}. Rename one of them.`;
    throw new Refusal('badRequest', message, { flags: { files: message } });
  }
  return db(async (session) => {
    const keys = form.files.map(({ key }) => key);
    const stored = await session.em.find(StoredFile, { bucket: bucketOf(kind), key: { $in: keys }, status: 'Active' });
    const idOf = new Map(stored.map(({ key, id }) => [key, id]));
    const pdfOf = { fundId: form.fund ?? null, classKey: form.classKey ?? null, date: form.date };
    const matches = matchFiles(names, await ownersOf(session, { kind, pdfOf }));
    const pdfs = form.files.map(({ key, name }, at) => {
      const id = idOf.get(key);
      if (!id) throw new Refusal('badRequest', `${name} was not stored. Choose it again`);
      return { id, name, owner: matches[at]?.ownerId ?? null };
    });
    return createImportDraft(session, { ...emptyDraft(kind, statusOf(kind, form.status)), pdfOf, pdfs });
  });
}
