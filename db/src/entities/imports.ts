import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import type { ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportKind, ImportRecordStatus } from '@tapeline/domain/importer/kinds.ts';
import type { ImportState } from '@tapeline/domain/importer/states.ts';
import { documentProperties } from './base.ts';

/** An import of sheets of one kind. Its id is the `bulkActionCode` of everything that it created. */
export const Import = defineEntity({
  name: 'Import',
  tableName: 'imports',
  properties: {
    ...documentProperties,
    status: p.text().$type<ImportState & Opt>().default('Pending'),
    managerId: p.text(),
    /** Who imports; null for a program. */
    userId: p.text().nullable(),
    kind: p.text().$type<ImportKind>(),
    recordStatus: p.text().$type<ImportRecordStatus>(),
    /** The sheets. */
    attachments: p.json<FileMetadata[]>(),
    /** The PDFs that rows name. */
    files: p.json<FileMetadata[] & Opt>().onCreate(() => []),
    /** Read by the worker, and dropped once they are imported. */
    rows: p.json<ImportRow[]>().lazy(),
    totalCount: p.integer(),
    uploadedCount: p.integer().$type<number & Opt>().default(0),
    failure: p.text().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});
export type Import = InferEntity<typeof Import>;
