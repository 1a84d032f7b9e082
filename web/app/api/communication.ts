import { chatCreateSchema, chatMessageSchema, chatSchema } from '@tapeline/domain/chats/chat.schema.ts';
import {
  ANNOUNCEMENT_KINDS,
  announcementCreateSchema,
  announcementSchema,
  notificationSchema,
  notificationUpdateSchema,
} from '@tapeline/domain/communication/announcement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import {
  groupFilterCreateSchema,
  groupFilterSchema,
  groupFilterUpdateSchema,
} from '@tapeline/domain/group-filters/group-filter.schema.ts';
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

const chatEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/chats',
    noun: ['chat', 'chats'],
    read: 'signed-in',
    response: chatSchema,
    toBody: unavailable,
    list: { listable: unavailable, load: unavailable, summary: "List the caller's chats" },
    get: unavailable,
    create: { body: chatCreateSchema, run: unavailable, most: 1, summary: 'Start a chat' },
    removeMany: { run: unavailable },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/chats/{id}/message',
    access: 'signed-in',
    summary: 'Send a message in a chat',
    params: idParamsSchema,
    body: chatMessageSchema,
    response: chatSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
];

export const communicationEndpoints: readonly Endpoint[] = [
  ...announcementEndpoints,
  ...notificationEndpoints,
  ...chatEndpoints,
  ...resource({
    path: '/crud/groupFilters',
    noun: ['saved filter', 'saved filters'],
    read: 'signed-in',
    response: groupFilterSchema,
    toBody: unavailable,
    list: { listable: unavailable, load: unavailable, summary: "List the caller's saved filters" },
    get: unavailable,
    create: { body: groupFilterCreateSchema, run: unavailable },
    update: { body: groupFilterUpdateSchema, run: unavailable },
    remove: { run: unavailable },
  }),
];
