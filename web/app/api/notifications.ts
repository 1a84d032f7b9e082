import type { Notification } from '@tapeline/db/entities/notification.ts';
import {
  listNotifications,
  markAllRead,
  markNotification,
  NOTIFICATIONS,
} from '@tapeline/db/operations/notifications/notifications.ts';
import { notificationSchema, notificationUpdateSchema } from '@tapeline/domain/communication/announcement.schema.ts';
import { z } from 'zod';
import { assocOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { resource } from './resource.ts';

const toBody = (notification: Notification) => ({
  id: notification.id,
  // A notification has no states and no concurrent edits: it is read or unread.
  status: 'Active',
  version: 1,
  metadata: { iat: notification.createdAt.toISOString() },
  assoc: assocOf(null),
  resource: { kind: notification.resource, id: notification.documentId },
  subResource: null,
  title: notification.title,
  description: notification.description || null,
  notificationLevel: notification.level,
  isRead: notification.isRead,
  user: notification.userId,
  actionRequired: notification.actionRequired,
});

export const notificationEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/notifications',
    noun: ['notification', 'notifications'],
    read: 'signed-in',
    response: notificationSchema,
    toBody,
    list: { listable: NOTIFICATIONS, load: listNotifications, summary: "List the caller's notifications" },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/notifications/{id}',
    access: 'signed-in',
    summary: 'Mark a notification as read or unread',
    params: idParamsSchema,
    body: notificationUpdateSchema,
    response: notificationSchema,
    handle: ({ params: { id }, body: { isRead }, db }) =>
      db(async (session) => ({ body: toBody(await markNotification(session, { id, isRead })) })),
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/notifications/setReadAll',
    access: 'signed-in',
    summary: "Mark all of the caller's notifications as read",
    response: z.object({ count: z.int() }).meta({ description: 'How many were unread' }),
    handle: ({ db }) => db(async (session) => ({ body: { count: await markAllRead(session) } })),
  }),
];
