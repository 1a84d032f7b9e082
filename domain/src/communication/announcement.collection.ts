import type { Collection } from '../collections/collection.ts';

export const announcementCollection = {
  one: 'Announcement',
  many: 'Announcements',
  read: 'announcements/read',
  history: { verbs: { Active: 'Published' } },
  write: 'announcements/write',
  list: '/announcements',
  page: '/announcements',
  menu: { section: 'Announcements', rank: 1 },
  search: { kind: 'announcement', rank: 16 },
  fields: {
    title: 'text',
    'resource.kind': ['For', 'text'],
    'resource.id': ['Document', 'text'],
    Class: 'text',
    users: ['Recipients', 'number'],
  },
} as const satisfies Collection;
