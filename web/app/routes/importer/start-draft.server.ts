import { changeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { acceptImport } from '@tapeline/db/operations/importer/run-import.ts';
import { startImport } from '../../commands/import-jobs.server.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { filesOfDraft } from './check-draft.server.ts';
import type { OpenDraft } from './draft-page.server.ts';

/**
 * Hands the rows of a draft to the workers, which import all or none. A draft whose import failed can be imported again.
 * @returns the page of the import
 */
export async function startDraft(
  { db, context }: Pick<Screen, 'db' | 'context'>,
  draft: OpenDraft,
  version: number,
): Promise<string> {
  const record = await db(async (session) => {
    const { id, content, rows } = draft;
    const { kind, status } = content;
    const accepted = await acceptImport(session, { kind, status, rows, ...(await filesOfDraft(session, draft)) });
    await changeImportDraft(session, { id, version, content, importId: accepted.id });
    return accepted;
  });
  startImport(context, record);
  return paths.importRecord(record.id);
}
