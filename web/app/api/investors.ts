import { createLP, getLP, LPS, type LPView, listLPs, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { lpCreateSchema, lpSchema, lpUpdateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { Endpoint } from './endpoint.ts';
import { partyBody } from './parties.ts';
import { resource } from './resource.ts';

const toBody = (investor: LPView) => ({
  ...partyBody(investor),
  title: investor.title,
  group: investor.group,
  lastVisitedStats: investor.lastVisitedStats,
});

export const investorEndpoints: readonly Endpoint[] = resource({
  path: '/crud/LPs',
  noun: ['investor', 'investors'],
  read: 'LPs/read',
  write: 'LPs/write',
  response: lpSchema,
  toBody,
  list: { listable: LPS, load: listLPs },
  get: getLP,
  create: {
    body: lpCreateSchema,
    run: createLP,
    summary: 'Create an investor, or a list of investors. A group that is named by a new title is created',
  },
  update: { body: lpUpdateSchema, run: updateLP },
});
