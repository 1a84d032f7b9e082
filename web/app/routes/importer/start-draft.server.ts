import { changeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { queueImport } from '@tapeline/db/operations/importer/queued-imports.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { filesOfDraft } from './check-draft.server.ts';
import type { OpenDraft } from './draft-page.server.ts';

/**
 * Hands the rows of a draft to the workers, which import all or none. A draft whose import failed can be imported again.
 * @returns the page of the import
 */
export const startDraft = ({ db }: Pick<Screen, 'db'>, draft: OpenDraft, version: number): Promise<string> =>
  db(async (session) => {
    const { id, content, rows } = draft;
    const { kind, status } = content;
    const record = await queueImport(session, { kind, status, rows, ...(await filesOfDraft(session, draft)) });
    await changeImportDraft(session, { id, version, content, importId: record.id });
    return paths.importRecord(record.id);
  });
