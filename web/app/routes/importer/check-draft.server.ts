import { createHash } from 'node:crypto';
import { redirect } from '@remix-run/node';
import { StoredFile } from '@tapeline/db/entities/records.ts';
import { fileMetadata } from '@tapeline/db/operations/files/files.ts';
import { checkImport } from '@tapeline/db/operations/importer/imports.ts';
import { acceptCheck, draftCheck } from '@tapeline/db/operations/importer/run-check.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportCheck } from '@tapeline/domain/importer/check.ts';
import { startCheck } from '../../commands/import-jobs.server.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import type { OpenDraft } from './draft-page.server.ts';

/** The files of a draft: its sheet, or its PDFs. */
export async function filesOfDraft(
  session: Session,
  { content }: Pick<OpenDraft, 'content'>,
): Promise<{ attachments: FileMetadata[]; files: FileMetadata[] }> {
  const { sheet, pdfs } = content;
  const ids = [...(sheet ? [sheet.fileId] : []), ...pdfs.map(({ id }) => id)];
  const stored = await session.em.find(StoredFile, { id: { $in: ids }, status: 'Active' });
  const files = new Map(stored.map((file) => [file.id, fileMetadata(file)]));
  const named = (id: string) => files.get(id) ?? [];
  return { attachments: sheet ? [named(sheet.fileId)].flat() : [], files: pdfs.flatMap(({ id }) => named(id)) };
}

/** Up to this many rows are checked while the page is read, which takes less than a second. */
const ROWS_ON_PAGE = 200;

/**
 * The check of the draft and how long it took. A large one is handed to the workers.
 * @throws Response where its progress is shown, until it is there
 */
export async function checkOrWait(
  screen: Pick<Screen, 'db' | 'context' | 'dryRun' | 'url'>,
  draft: OpenDraft,
): Promise<{ check: ImportCheck; tookMs: number }> {
  const { id, version, rows, content } = draft;
  if (rows.length <= ROWS_ON_PAGE) {
    const started = performance.now();
    const check = await checkDraft(screen, draft);
    return { check, tookMs: performance.now() - started };
  }
  const { earlier, accepted } = await screen.db(async (session) => {
    const earlier = await draftCheck(session, { id, version });
    if (earlier) return { earlier, accepted: null };
    const { kind, status } = content;
    const input = { kind, status, rows, ...(await filesOfDraft(session, draft)) };
    return { earlier, accepted: await acceptCheck(session, { id, version, input }) };
  });
  if (earlier?.result) return { check: earlier.result, tookMs: earlier.tookMs ?? 0 };
  if (accepted) startCheck(screen.context, accepted);
  throw redirect(paths.importChecking(id, screen.url.search));
}

/** Identifies what looks like a mistake in the rows, for the box that confirms it; null if nothing does. */
export const warningsKey = ({ warnings = [] }: Pick<ImportCheck, 'warnings'>): string | null =>
  warnings.length === 0 ? null : createHash('sha256').update(JSON.stringify(warnings)).digest('hex');

/** @throws Refusal badRequest if rows look like a mistake and the form does not confirm them */
export async function requireConfirmedWarnings(screen: Screen, draft: OpenDraft): Promise<void> {
  const key = warningsKey((await checkOrWait(screen, draft)).check);
  if (key === null || screen.confirmed.includes(key)) return;
  throw new Refusal('badRequest', 'Nothing was imported. Confirm first that the rows with a warning are right.');
}

/** What an import of the draft's rows would do, without storing anything. */
export const checkDraft = ({ dryRun }: Pick<Screen, 'dryRun'>, draft: OpenDraft): Promise<ImportCheck> =>
  dryRun(async (session) => {
    const { kind, status } = draft.content;
    // Every row was removed.
    if (draft.rows.length === 0)
      return { kind, totalCount: 0, readyCount: 0, rows: [], references: [], before: [], after: [] };
    return checkImport(session, { kind, status, rows: draft.rows, ...(await filesOfDraft(session, draft)) });
  });
