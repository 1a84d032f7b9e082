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
} as const satisfies Collection;
