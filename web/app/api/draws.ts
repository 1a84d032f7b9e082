import {
  drawChangeSchema,
  drawCreateSchema,
  drawRequestSchema,
  drawUpdateSchema,
} from '@tapeline/domain/draws/draw.schema.ts';
import { type Endpoint, unavailable } from './endpoint.ts';
import { resource } from './resource.ts';

export const drawEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/transactionDraws',
    noun: ['draw request', 'draw requests'],
    read: 'transactionDraw/read',
    write: 'transactionDraw/write',
    response: drawRequestSchema,
    toBody: unavailable,
    list: { listable: unavailable, load: unavailable },
    get: unavailable,
    create: { body: drawCreateSchema, run: unavailable },
    update: {
      body: drawUpdateSchema,
      run: unavailable,
      summary: 'Change, approve or reject a draw request, or skip its exceptions with a reason',
    },
    updateMany: { item: drawChangeSchema, run: unavailable },
    removeMany: { run: unavailable },
  }),
];
