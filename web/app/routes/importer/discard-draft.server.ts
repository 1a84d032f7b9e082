import { redirect } from '@remix-run/node';
import { removeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { z } from 'zod';
import { intent } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

/** Removes the draft in the address, from any of its steps. */
export const discardDraft = intent({
  permission: 'importer/write',
  schema: z.object({}),
  async run(_, screen) {
    await screen.db((session) => removeImportDraft(session, screen.params.id ?? ''));
    return redirect(paths.importer());
  },
});
