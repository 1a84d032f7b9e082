import { changeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { importRows } from '@tapeline/db/operations/importer/imports.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { filesOfDraft } from './check-draft.server.ts';
import type { OpenDraft } from './draft-page.server.ts';

/**
 * Imports the rows of a draft, all or none. The draft can be imported once.
 * @returns the page of the import
 */
export const startDraft = ({ db }: Pick<Screen, 'db'>, draft: OpenDraft, version: number): Promise<string> =>
  db(async (session) => {
    const { id, content, rows } = draft;
    const { kind, status } = content;
    const record = await importRows(session, { kind, status, rows, ...(await filesOfDraft(session, draft)) });
    await changeImportDraft(session, { id, version, content, importId: record.id });
    return paths.importRecord(record.id);
  });
