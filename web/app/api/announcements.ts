import {
  type AnnouncementView,
  groupAnnouncements,
  listAnnouncements,
  publishAnnouncement,
  publishAnnouncements,
  readAnnouncement,
  removeAnnouncements,
} from '@tapeline/db/operations/announcements/announcements.ts';
import type { Session } from '@tapeline/db/store.ts';
import {
  ANNOUNCEMENT_KINDS,
  announcementCreateSchema,
  announcementSchema,
  NOBODY_TOLD,
} from '@tapeline/domain/communication/announcement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { baseOf, groupBodies, groupBodySchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

/** Warns of announcements of which nobody is told. The screen says so in its preview. */
function warned(session: Session, published: AnnouncementView[]): AnnouncementView[] {
  for (const { id, users } of published) {
    if (users === 0) session.warn({ documentId: id, message: NOBODY_TOLD });
  }
  return published;
}

const kindSchema = z.enum(ANNOUNCEMENT_KINDS);

const toBody = (announcement: AnnouncementView) => ({
  ...baseOf(announcement),
  resource: { kind: announcement.kind, ...(announcement.targetId ? { id: announcement.targetId } : {}) },
  title: announcement.title,
  subTitle: announcement.subTitle ?? null,
  description: announcement.description,
  files: announcement.files.map(({ id, ...file }) => file),
  Class: announcement.Class ?? null,
  disableEmail: announcement.disableEmail,
  users: announcement.users,
  isRead: announcement.isRead,
});

export const announcementEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/crud/announcements/{kind}',
    access: 'announcements/read',
    summary: 'List announcements of one kind, or all of them',
    params: z.object({ kind: kindSchema }),
    query: listParamsSchema,
    response: z.union([z.array(announcementSchema), z.array(groupBodySchema)]),
    handle: ({ params: { kind }, query, read }) =>
      read(async (session) => {
        if (query.groupBy) {
          const found = await groupAnnouncements(session, kind, query);
          return { body: groupBodies(found), count: found.total };
        }
        const { documents, total } = await listAnnouncements(session, kind, query);
        return { body: documents.map(toBody), count: total };
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/announcements/details/{kind}/{id}',
    access: 'announcements/read',
    summary: 'Get an announcement, and mark it as read',
    params: z.object({ kind: kindSchema, id: idSchema }),
    response: announcementSchema,
    handle: ({ params: { kind, id }, db }) =>
      db(async (session) => ({ body: toBody(await readAnnouncement(session, { kind, id })) })),
  }),
  ...resource({
    ...ofCollection('announcements'),
    response: announcementSchema,
    toBody,
    create: {
      body: announcementCreateSchema,
      run: async (session, body) => warned(session, [await publishAnnouncement(session, body)])[0]!,
      runAll: async (session, bodies) => warned(session, await publishAnnouncements(session, bodies)),
      summary: 'Publish an announcement, or a list of announcements',
    },
    removeMany: { run: removeAnnouncements },
  }),
];
