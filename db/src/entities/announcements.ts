import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { ANNOUNCEMENT_KINDS } from '@tapeline/domain/communication/announcement.schema.ts';
import { documentProperties } from './base.ts';

/** What a manager tells its investors and borrowers. */
export const Announcement = defineEntity({
  name: 'Announcement',
  tableName: 'announcements',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    kind: p.text().$type<(typeof ANNOUNCEMENT_KINDS)[number]>(),
    fundId: p.text().nullable(),
    lpId: p.text().nullable(),
    companyId: p.text().nullable(),
    Class: p.text().fieldName('class').nullable(),
    title: p.text(),
    subTitle: p.text().nullable(),
    /** Markdown. */
    description: p.text(),
    fileIds: p.array().$type<string[]>().columnType('text[]'),
    disableEmail: p.boolean(),
    /** How many people it was published to. */
    users: p.integer().$type<number & Opt>().default(0),
  },
});
export type Announcement = InferEntity<typeof Announcement>;

/** A person's read of a document. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activities',
  properties: {
    id: p.text().primary(),
    managerId: p.text().nullable(),
    userId: p.text(),
    resource: p.text(),
    documentId: p.text(),
    firstReadAt: p.datetime(),
    lastReadAt: p.datetime(),
  },
});
export type Activity = InferEntity<typeof Activity>;
