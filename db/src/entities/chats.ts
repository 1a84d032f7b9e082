import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChatTaskRecord } from '@tapeline/domain/chats/chat.schema.ts';
import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { documentProperties } from './base.ts';

/** A user's chat. Only its user can see it (collection `chats`). */
export const Chat = defineEntity({
  name: 'Chat',
  tableName: 'chats',
  properties: {
    ...documentProperties,
    managerId: p.text().nullable(),
    userId: p.text(),
    title: p.text().nullable(),
    tasks: p.json<ChatTaskRecord[]>(),
  },
});
export type Chat = InferEntity<typeof Chat>;

/** Funds and investors that a user selected for lists and figures (collection `groupFilters`). */
export const GroupFilter = defineEntity({
  name: 'GroupFilter',
  tableName: 'group_filters',
  properties: {
    ...documentProperties,
    managerId: p.text().nullable(),
    userId: p.text(),
    title: p.text(),
    fundIds: p.array().$type<string[]>().columnType('text[]'),
    investorIds: p.array().$type<string[]>().columnType('text[]'),
  },
});
export type GroupFilter = InferEntity<typeof GroupFilter>;

/** A user's view of a grid: its columns, order and filter. */
export const GridView = defineEntity({
  name: 'GridView',
  tableName: 'grid_views',
  properties: {
    ...documentProperties,
    managerId: p.text().nullable(),
    userId: p.text(),
    grid: p.text().$type<GridId>(),
    title: p.text(),
    search: p.text(),
    isShared: p.boolean(),
    isDefault: p.boolean(),
  },
});
export type GridView = InferEntity<typeof GridView>;
