import {
  ANNOUNCEMENT_KINDS,
  announcementCreateSchema,
  announcementSchema,
} from '@tapeline/domain/communication/announcement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, unavailable } from './endpoint.ts';
import { resource } from './resource.ts';

const kindSchema = z.enum(ANNOUNCEMENT_KINDS);

export const announcementEndpoints: readonly Endpoint[] = [
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
