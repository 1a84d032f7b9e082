import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
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
    version: p.integer().$type<number>().version(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
});
export type ImportDraft = InferEntity<typeof ImportDraft>;
