import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { ImportCheck, ImportInput } from '@tapeline/domain/importer/check.ts';
import type { ImportDraft as DraftContent } from '@tapeline/domain/importer/draft.ts';

/** An import that a user prepares: its file, mapping and corrections. */
export const ImportDraft = defineEntity({
  name: 'ImportDraft',
  tableName: 'import_drafts',
  properties: {
    id: p.text().primary(),
    managerId: p.text(),
    userId: p.text(),
    content: p.json<DraftContent>(),
    /** The import that was started with it; null until then. */
    importId: p.text().nullable(),
    /** Its last check in a worker: see `run-check.ts`. */
    checkStatus: p.text().$type<'Pending' | 'Processing' | 'Completed' | 'Failed'>().nullable(),
    checkVersion: p.integer().nullable(),
    checkInput: p.json<ImportInput>().nullable().lazy(),
    checkTotal: p.integer().$type<number & Opt>().default(0),
    checkBeganAt: p.datetime().nullable(),
    checkEndedAt: p.datetime().nullable(),
    checkResult: p.json<ImportCheck>().nullable().lazy(),
    checkFailure: p.text().nullable(),
    version: p.integer().$type<number>().version(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
});
export type ImportDraft = InferEntity<typeof ImportDraft>;
