import {
  ANNOUNCEMENT_KINDS,
  announcementCreateSchema,
  announcementSchema,
  notificationSchema,
  notificationUpdateSchema,
} from '@tapeline/domain/communication/announcement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, unavailable } from './endpoint.ts';
import { resource } from './resource.ts';

const kindSchema = z.enum(ANNOUNCEMENT_KINDS);

const announcementEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/crud/announcements/{kind}',
    access: 'announcements/read',
    summary: 'List announcements of one kind, or all of them',
    params: z.object({ kind: kindSchema }),
    query: listParamsSchema,
    response: z.array(announcementSchema),
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/announcements/details/{kind}/{id}',
    access: 'announcements/read',
    summary: 'Get an announcement, and mark it as read',
    params: z.object({ kind: kindSchema, id: idSchema }),
    response: announcementSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
  ...resource({
    path: '/crud/announcements',
    noun: ['announcement', 'announcements'],
    read: 'announcements/read',
    write: 'announcements/write',
    response: announcementSchema,
    toBody: unavailable,
    create: {
      body: announcementCreateSchema,
      run: unavailable,
      summary: 'Publish an announcement, or a list of announcements',
    },
    removeMany: { run: unavailable },
  }),
];

const notificationEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/notifications',
    noun: ['notification', 'notifications'],
    read: 'signed-in',
    response: notificationSchema,
    toBody: unavailable,
    list: { listable: unavailable, load: unavailable, summary: "List the caller's notifications" },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/notifications/{id}',
    access: 'signed-in',
    summary: 'Mark a notification as read or unread',
    params: idParamsSchema,
    body: notificationUpdateSchema,
    response: notificationSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/notifications/setReadAll',
    access: 'signed-in',
    summary: "Mark all of the caller's notifications as read",
    response: z.object({ count: z.int() }),
    isUnavailable: true,
    handle: unavailable,
  }),
];

export const communicationEndpoints: readonly Endpoint[] = [...announcementEndpoints, ...notificationEndpoints];
