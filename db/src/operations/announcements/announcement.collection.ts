import { dayInWords, type StoredCollection } from '../../collections/stored-collection.ts';
import { Announcement } from '../../entities/announcements.ts';

export const storedAnnouncements = {
  entity: Announcement,
  title: 't.title',
  found: { detail: dayInWords(`(t.metadata ->> 'iat')::timestamptz`) },
  fields: {
    title: 'text',
    'resource.kind': ['For', 'text'],
    'resource.id': ['Document', 'text'],
    Class: 'text',
    users: ['Recipients', 'number'],
  },
} as const satisfies StoredCollection;
