import { defineEntity, p } from '@mikro-orm/core';

/** The single row that identifies the product instance of this database; its object storage has the same id. */
export const Instance = defineEntity({
  name: 'Instance',
  tableName: 'instance',
  properties: {
    id: p.text().primary(),
    onlyOne: p.boolean(),
    createdAt: p.datetime(),
  },
});

/** An object that is no longer needed, until the sweep has deleted it. */
export const DroppedObject = defineEntity({
  name: 'DroppedObject',
  tableName: 'dropped_objects',
  properties: {
    key: p.text().primary(),
    /** Bytes. */
    size: p.bigint('number'),
    reason: p.text(),
    droppedAt: p.datetime(),
    /** When it was moved to the trash; null until then. */
    trashedAt: p.datetime().nullable(),
  },
});
