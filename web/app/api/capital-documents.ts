import { regenerateFilesSchema, removalReasonSchema } from '@tapeline/domain/capital/capital-document.ts';
import {
  contributionChangeSchema,
  contributionCreateSchema,
  contributionSchema,
} from '@tapeline/domain/capital/contribution.schema.ts';
import {
  distributionChangeSchema,
  distributionCreateSchema,
  distributionSchema,
  distributionTotalSchema,
} from '@tapeline/domain/capital/distribution.schema.ts';
import { navChangeSchema, navCreateSchema, navSchema } from '@tapeline/domain/capital/nav.schema.ts';
import {
  capitalAccountCreateSchema,
  capitalAccountSchema,
  reportCreateSchema,
  reportSchema,
  statementChangeSchema,
} from '@tapeline/domain/capital/statement.schema.ts';
import {
  writeOffChangeSchema,
  writeOffCreateSchema,
  writeOffSchema,
  writeOffTotalsSchema,
} from '@tapeline/domain/capital/write-off.schema.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { bulkUpdate, idsQuerySchema, oneOrMany, removedSchema } from './bulk.ts';
import { listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES, unavailable } from './endpoint.ts';
import { resource } from './resource.ts';

interface CapitalDocuments {
  path: string;
  noun: readonly [one: string, many: string];
  read: PermissionKey;
  write: PermissionKey;
  response: z.ZodType;
  change: z.ZodType<{ id: string; version: number }>;
}

/** The calls that all capital documents share: list, bulk update, and removal with a reason. */
const shared = ({ path, noun, read, write, response, change }: CapitalDocuments): Endpoint[] => [
  ...resource({ path, noun, read, response, toBody: unavailable, list: { listable: unavailable, load: unavailable } }),
  bulkUpdate({
    path: `${path}/bulk`,
    access: write,
    summary: `Update ${noun[1]}; a changed status issues or closes them`,
    item: change,
    response,
    run: unavailable,
    toBody: unavailable,
  }),
  endpoint({
    method: 'DELETE',
    path,
    access: write,
    summary: `Delete ${noun[1]}. Removing an issued one needs a reason`,
    query: idsQuerySchema().extend({ reason: removalReasonSchema }),
    response: removedSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
];

/** Totals per currency, of everything that matches the filter. */
const totals = (path: string, access: PermissionKey, noun: string, response: z.ZodType): Endpoint =>
  endpoint({
    method: 'GET',
    path: `${path}/counts/total`,
    access,
    summary: `Total ${noun} per currency`,
    query: listParamsSchema,
    response,
    isUnavailable: true,
    handle: unavailable,
  });

const regenerate = (path: string, access: PermissionKey, noun: string): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${path}/reGenerateFiles`,
    access,
    summary: `Generate the notices of ${noun} again`,
    body: regenerateFilesSchema,
    response: removedSchema,
    status: 200,
    isUnavailable: true,
    handle: unavailable,
  });

const totalOf = (fields: Record<string, z.ZodType>) => z.array(z.object({ count: z.int(), ...fields }));

const CONTRIBUTIONS = '/crud/contributions';
const DISTRIBUTIONS = '/crud/distributions';

export const capitalDocumentEndpoints: readonly Endpoint[] = [
  ...shared({
    path: CONTRIBUTIONS,
    noun: ['contribution', 'contributions'],
    read: 'contributions/read',
    write: 'contributions/write',
    response: contributionSchema,
    change: contributionChangeSchema,
  }),
  ...resource({
    path: CONTRIBUTIONS,
    noun: ['contribution', 'contributions'],
    read: 'contributions/read',
    response: contributionSchema,
    toBody: unavailable,
    get: unavailable,
  }),
  endpoint({
    method: 'POST',
    path: CONTRIBUTIONS,
    access: 'contributions/write',
    summary: 'Call capital: creates one contribution per investor. With dryRun, returns them without saving',
    body: contributionCreateSchema,
    response: z.array(contributionSchema),
    isUnavailable: true,
    handle: unavailable,
  }),
  totals(CONTRIBUTIONS, 'contributions/read', 'contributions', totalOf({ amount: wireAmountSchema })),
  regenerate(CONTRIBUTIONS, 'contributions/write', 'contributions'),
  ...shared({
    path: DISTRIBUTIONS,
    noun: ['distribution', 'distributions'],
    read: 'distributions/read',
    write: 'distributions/write',
    response: distributionSchema,
    change: distributionChangeSchema,
  }),
  ...resource({
    path: DISTRIBUTIONS,
    noun: ['distribution', 'distributions'],
    read: 'distributions/read',
    response: distributionSchema,
    toBody: unavailable,
    get: unavailable,
  }),
  endpoint({
    method: 'POST',
    path: DISTRIBUTIONS,
    access: 'distributions/write',
    summary: 'Distribute: creates one distribution per investor. With dryRun, returns them without saving',
    body: oneOrMany(distributionCreateSchema),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.array(distributionSchema),
    isUnavailable: true,
    handle: unavailable,
  }),
  totals(DISTRIBUTIONS, 'distributions/read', 'distributions', z.array(distributionTotalSchema)),
  regenerate(DISTRIBUTIONS, 'distributions/write', 'distributions'),
  ...shared({
    path: '/crud/capitalAccounts',
    noun: ['capital account statement', 'capital account statements'],
    read: 'funds/read',
    write: 'funds/write',
    response: capitalAccountSchema,
    change: statementChangeSchema,
  }),
  ...resource({
    path: '/crud/capitalAccounts',
    noun: ['capital account statement', 'capital account statements'],
    read: 'funds/read',
    write: 'funds/write',
    response: capitalAccountSchema,
    toBody: unavailable,
    createMany: { item: capitalAccountCreateSchema, most: 150, run: unavailable },
  }),
  ...shared({
    path: '/crud/reports',
    noun: ['report', 'reports'],
    read: 'funds/read',
    write: 'funds/write',
    response: reportSchema,
    change: statementChangeSchema,
  }),
  ...resource({
    path: '/crud/reports',
    noun: ['report', 'reports'],
    read: 'funds/read',
    write: 'funds/write',
    response: reportSchema,
    toBody: unavailable,
    createMany: { item: reportCreateSchema, most: 300, run: unavailable },
  }),
  ...shared({
    path: '/crud/navs',
    noun: ['NAV', 'NAVs'],
    read: 'funds/read',
    write: 'funds/write',
    response: navSchema,
    change: navChangeSchema,
  }),
  ...resource({
    path: '/crud/navs',
    noun: ['NAV', 'NAVs'],
    read: 'funds/read',
    write: 'funds/write',
    response: navSchema,
    toBody: unavailable,
    createMany: { item: navCreateSchema, most: 10, run: unavailable },
  }),
  totals('/crud/navs', 'funds/read', 'NAVs', totalOf({ gross: wireAmountSchema, net: wireAmountSchema })),
  ...shared({
    path: '/crud/writeOffs',
    noun: ['write-off', 'write-offs'],
    read: 'funds/read',
    write: 'funds/write',
    response: writeOffSchema,
    change: writeOffChangeSchema,
  }),
  ...resource({
    path: '/crud/writeOffs',
    noun: ['write-off', 'write-offs'],
    read: 'funds/read',
    write: 'funds/write',
    response: writeOffSchema,
    toBody: unavailable,
    createMany: { item: writeOffCreateSchema, run: unavailable },
  }),
  totals('/crud/writeOffs', 'funds/read', 'write-offs', writeOffTotalsSchema),
];
