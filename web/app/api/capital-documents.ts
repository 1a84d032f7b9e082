import {
  CONTRIBUTIONS,
  type ContributionView,
  callCapital,
  changeContributions,
  getContribution,
  listContributions,
  removeContributions,
  returnContributions,
  submitContributions,
  totalContributions,
} from '@tapeline/db/operations/capital/contributions.ts';
import {
  changeDistributions,
  DISTRIBUTIONS,
  distribute,
  getDistribution,
  listDistributions,
  removeDistributions,
  returnDistributions,
  submitDistributions,
  totalDistributions,
} from '@tapeline/db/operations/capital/distributions.ts';
import type { SeenParts } from '@tapeline/db/operations/capital/issue-requests.ts';
import {
  changeNavs,
  createNavs,
  listNavs,
  NAVS,
  removeNavs,
  returnNavs,
  submitNavs,
  totalNavs,
} from '@tapeline/db/operations/capital/navs.ts';
import {
  issueNetted,
  type Netting,
  netDrafts,
  nettingOf,
  type PairCommand,
  type PairParts,
  pairOfParts,
  separateDrafts,
  withdrawNetted,
} from '@tapeline/db/operations/capital/netting.ts';
import type { MailedTable } from '@tapeline/db/operations/capital/notice-mails.ts';
import { regenerateNotices } from '@tapeline/db/operations/capital/notices.ts';
import {
  changeReports,
  createReports,
  listReports,
  REPORTS,
  removeReports,
} from '@tapeline/db/operations/capital/reports.ts';
import {
  CAPITAL_ACCOUNTS,
  changeCapitalAccounts,
  createCapitalAccounts,
  listCapitalAccounts,
  removeCapitalAccounts,
  returnCapitalAccounts,
  submitCapitalAccounts,
} from '@tapeline/db/operations/capital/statements.ts';
import { warnOfNobody } from '@tapeline/db/operations/capital/tell-investors.ts';
import {
  changeWriteOffs,
  createWriteOffs,
  listWriteOffs,
  removeWriteOffs,
  returnWriteOffs,
  submitWriteOffs,
  totalWriteOffs,
  WRITE_OFFS,
} from '@tapeline/db/operations/capital/write-offs.ts';
import {
  addDefaultInterestToParts,
  removeDefaultInterestOfParts,
} from '@tapeline/db/operations/cash/default-interest.ts';
import { deleteManyPermanently } from '@tapeline/db/operations/history/permanent-delete.ts';
import type { Listable } from '@tapeline/db/operations/listing/define-lists.ts';
import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import type { Session } from '@tapeline/db/store.ts';
import {
  nettedPairSchema,
  nettedRemovalSchema,
  nettedSchema,
  nettingSchema,
  regenerateFilesSchema,
  removalReasonSchema,
  returnToPreparerSchema,
  seenDraftsSchema,
} from '@tapeline/domain/capital/capital-document.ts';
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
import type { NetAmounts } from '@tapeline/domain/capital/netting.ts';
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
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { bulkUpdate, idsQuerySchema, oneOrMany, removedSchema } from './bulk.ts';
import {
  inCurrency,
  toCapitalAccount,
  toContribution,
  toDistribution,
  toNav,
  toReport,
  totalsBody,
  toWriteOff,
} from './capital-bodies.ts';
import { listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

interface Published {
  id: string;
  status: string;
  version: number;
}

interface CapitalDocuments<
  Shown extends Published,
  Entity extends { id: string },
  Change extends z.ZodType<{ id: string; version: number }>,
  Many extends z.ZodType,
> {
  path: string;
  noun: readonly [one: string, many: string];
  read: PermissionKey;
  write: PermissionKey;
  /** The table, if investors are told of what is published in it. */
  told?: MailedTable;
  response: z.ZodType;
  toBody: (document: Shown) => object;
  list: {
    listable: Listable<Entity>;
    load: (session: ReadSession, query: unknown) => Promise<Page<Shown>>;
  };
  change: { item: Change; run: (session: Session, items: z.output<Change>[]) => Promise<Shown[]> };
  remove: (session: Session, command: { ids: string[]; reason?: string | null | undefined }) => Promise<unknown>;
  get?: (session: Session, id: string) => Promise<Shown>;
  createMany?: { item: Many; most?: number; run: (session: Session, items: z.output<Many>[]) => Promise<Shown[]> };
}

/** The calls that all capital documents share: list, bulk update, and removal with a reason. */
const shared = <
  Shown extends Published,
  Entity extends { id: string },
  Change extends z.ZodType<{ id: string; version: number }>,
  Many extends z.ZodType,
>({
  change,
  remove,
  told,
  createMany,
  ...definition
}: CapitalDocuments<Shown, Entity, Change, Many>): Endpoint[] => {
  const { path, noun, write, response, toBody } = definition;
  const warn = async (session: Session, documents: readonly Published[]) =>
    told ? warnOfNobody(session, told, documents) : undefined;
  return [
    ...resource({
      ...definition,
      ...(createMany
        ? {
            createMany: {
              ...createMany,
              async run(session: Session, items: z.output<Many>[]) {
                const created = await createMany.run(session, items);
                await warn(session, created);
                return created;
              },
            },
          }
        : {}),
    }),
    bulkUpdate({
      path: `${path}/bulk`,
      access: write,
      summary: `Update ${noun[1]}; a changed status issues or closes them`,
      item: change.item,
      response,
      async run(session, items) {
        const documents = await change.run(session, items);
        const versions = new Map(items.map(({ id, version }) => [id, version]));
        // Those that were published before, and stay as they are, have the version that was sent.
        await warn(
          session,
          documents.filter(({ id, version }) => version !== versions.get(id)),
        );
        return documents;
      },
      toBody,
    }),
    endpoint({
      method: 'DELETE',
      path,
      access: write,
      summary: `Delete ${noun[1]}. Removing an issued one needs a reason`,
      query: idsQuerySchema().extend({ reason: removalReasonSchema }),
      response: removedSchema,
      handle: ({ query: { ids, reason, permanent }, db }) =>
        db(async (session) => {
          const resource = path.slice(path.lastIndexOf('/') + 1);
          if (permanent === 'true') await deleteManyPermanently(session, { resource, ids });
          else await remove(session, { ids, reason });
          return { body: { ids } };
        }),
    }),
  ];
};

/** Totals per currency, of everything that matches the filter. */
const totals = (
  path: string,
  access: PermissionKey,
  noun: string,
  response: z.ZodType,
  run: (session: ReadSession, query: { filter?: unknown }) => Promise<unknown>,
): Endpoint =>
  endpoint({
    method: 'GET',
    path: `${path}/counts/total`,
    access,
    summary: `Total ${noun} per currency`,
    query: listParamsSchema,
    response,
    handle: ({ query, read }) => read(async (session) => ({ body: await run(session, query) })),
  });

const regenerate = (path: string, noun: 'contributions' | 'distributions'): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${path}/reGenerateFiles`,
    access: `${noun}/write`,
    summary: `Generate the notices of ${noun} again`,
    body: regenerateFilesSchema,
    response: removedSchema,
    status: 200,
    handle: ({ body, db }) =>
      db(async (session) => {
        await regenerateNotices(session, noun, body.ids);
        return { body: { ids: body.ids } };
      }),
  });

const ASKED = [
  { id: '65f0c2a1b3d4e5f601234567', version: 1 },
  { id: '65f0c2a1b3d4e5f601234568', version: 1 },
];

/** Asking for a second person who issues drafts, and giving them back. */
const issueRequests = <Shown>(
  path: string,
  noun: string,
  {
    response,
    toBody,
    submit,
    giveBack,
    write,
    whole = 'Names those of all investors',
  }: {
    write: PermissionKey;
    /** Which documents a call must name. */
    whole?: string;
    response: z.ZodType;
    toBody: (document: Shown) => object;
    submit: (session: Session, parts: SeenParts) => Promise<Shown[]>;
    giveBack: (session: Session, parts: SeenParts, reason: string) => Promise<Shown[]>;
  },
): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: `${path}/submit`,
    access: write,
    summary: `Submit draft ${noun} for issue by a second person. ${whole}`,
    body: seenDraftsSchema,
    response: z.array(response),
    status: 200,
    example: { body: { documents: ASKED } },
    handle: ({ body, db }) => db(async (session) => ({ body: (await submit(session, body.documents)).map(toBody) })),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/return`,
    access: write,
    summary: `Return submitted ${noun} to who prepared them, with the reason. ${whole}`,
    body: returnToPreparerSchema,
    response: z.array(response),
    status: 200,
    example: { body: { documents: ASKED, reason: 'The management fee is missing.' } },
    handle: ({ body, db }) =>
      db(async (session) => ({ body: (await giveBack(session, body.documents, body.reason)).map(toBody) })),
  }),
];

/** Adding default interest to draft calls, and taking it out. */
const defaultInterest = (
  path: string,
  summary: string,
  change: (session: Session, parts: SeenParts) => Promise<ContributionView[]>,
): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${callsOf('contributions')}/${path}`,
    access: 'contributions/write',
    summary: `${summary}. Names those of all investors`,
    body: seenDraftsSchema,
    response: z.array(contributionSchema),
    status: 200,
    example: { body: { documents: ASKED } },
    handle: ({ body, db }) =>
      db(async (session) => ({ body: (await change(session, body.documents)).map(toContribution) })),
  });

const PAIR = { contributions: ASKED, distributions: ASKED };

/** How a call and a distribution settle. */
const toNetting = ({ call, distribution, day, currency, lines, totals }: Netting) => {
  const amountsOf = (amounts: NetAmounts) => ({
    called: inCurrency(amounts.called, currency),
    distributed: inCurrency(amounts.distributed, currency),
    deemed: inCurrency(amounts.deemed, currency),
    pays: inCurrency(amounts.pays, currency),
    receives: inCurrency(amounts.receives, currency),
  });
  return {
    call: call.id,
    distribution: distribution.id,
    date: day,
    investors: lines.map((line) => ({
      contribution: line.contributionId,
      distribution: line.distributionId,
      investor: line.investor,
      ...amountsOf(line),
    })),
    totals: amountsOf(totals),
  };
};

/** Settling a call and a distribution as one net amount: each call names the documents of all investors of both. */
const netting = <Body extends z.ZodType<PairParts & { dryRun?: boolean }>>(
  path: string,
  summary: string,
  body: Body,
  run: (session: Session, pair: PairCommand, body: z.output<Body>) => Promise<unknown>,
  more: object = {},
): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${callsOf('contributions')}/nettings${path}`,
    access: 'contributions/write',
    summary: `${summary}. Names the documents of all investors of both, and needs distributions/write as well`,
    body,
    response: nettedSchema,
    status: 200,
    example: { body: { ...PAIR, ...more } },
    handle: (call) =>
      call.db(
        async (session) => {
          const pair = await pairOfParts(session, call.body);
          const before = await nettingOf(session, 'contributions', pair.call.id);
          await run(session, pair, call.body as z.output<Body>);
          return { body: toNetting((await nettingOf(session, 'contributions', pair.call.id)) ?? before!) };
        },
        { rollback: call.body.dryRun ?? false },
      ),
  });

const totalOf = (fields: Record<string, z.ZodType>) => z.array(z.object({ count: z.int(), ...fields }));

const CALLS = callsOf('contributions');
const PAYMENTS = callsOf('distributions');

export const capitalDocumentEndpoints: readonly Endpoint[] = [
  ...shared({
    ...ofCollection('contributions'),
    told: 'contributions',
    response: contributionSchema,
    toBody: toContribution,
    list: { listable: CONTRIBUTIONS, load: listContributions },
    change: { item: contributionChangeSchema, run: changeContributions },
    remove: removeContributions,
    get: getContribution,
  }),
  endpoint({
    method: 'POST',
    path: CALLS,
    access: 'contributions/write',
    summary: 'Call capital: creates one contribution per investor. With dryRun, returns them without saving',
    body: contributionCreateSchema,
    response: z.array(contributionSchema),
    handle: (call) =>
      call.db(
        async (session) => {
          const created = await callCapital(session, call.body);
          if (call.body.dryRun) return { body: created.map(toContribution), status: 200 as const };
          await warnOfNobody(session, 'contributions', created);
          return { body: created.map(toContribution) };
        },
        { rollback: call.body.dryRun },
      ),
  }),
  totals(CALLS, 'contributions/read', 'contributions', totalOf({ amount: wireAmountSchema }), async (session, query) =>
    (await totalContributions(session, query)).map(({ currency, count, amount }) => ({
      count,
      amount: inCurrency(amount, currency),
    })),
  ),
  regenerate(CALLS, 'contributions'),
  ...issueRequests(CALLS, 'contributions', {
    write: 'contributions/write',
    response: contributionSchema,
    toBody: toContribution,
    submit: submitContributions,
    giveBack: returnContributions,
  }),
  defaultInterest(
    'defaultInterest',
    'Add to draft contributions the default interest that their investors owe and no call asks for yet, as interest on top of the amounts',
    addDefaultInterestToParts,
  ),
  defaultInterest(
    'defaultInterest/reversals',
    'Take the default interest out of draft contributions, so that another call can ask for it',
    removeDefaultInterestOfParts,
  ),
  netting(
    '',
    'Settle a draft call and a draft distribution of one date as one net amount for each investor. With dryRun, returns it without saving',
    nettingSchema,
    netDrafts,
    { dryRun: true },
  ),
  netting(
    '/reversals',
    'Settle a draft call and a draft distribution separately again',
    nettedPairSchema,
    separateDrafts,
  ),
  netting('/issue', 'Issue a call and a distribution that are netted', nettedPairSchema, issueNetted),
  netting(
    '/removals',
    'Withdraw a call and a distribution that are netted. Removing issued ones needs a reason',
    nettedRemovalSchema,
    (session, pair, { reason }) => withdrawNetted(session, { ...pair, reason }),
    { reason: 'The amounts were wrong.' },
  ),
  ...shared({
    ...ofCollection('distributions'),
    told: 'distributions',
    response: distributionSchema,
    toBody: toDistribution,
    list: { listable: DISTRIBUTIONS, load: listDistributions },
    change: { item: distributionChangeSchema, run: changeDistributions },
    remove: removeDistributions,
    get: getDistribution,
  }),
  endpoint({
    method: 'POST',
    path: PAYMENTS,
    access: 'distributions/write',
    summary: 'Distribute: creates one distribution per investor. With dryRun, returns them without saving',
    body: oneOrMany(distributionCreateSchema),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.array(distributionSchema),
    handle: (call) => {
      const bodies = [call.body].flat();
      const isDryRun = bodies.some(({ dryRun }) => dryRun);
      return call.db(
        async (session) => {
          const created = await distribute(session, bodies);
          if (isDryRun) return { body: created.map(toDistribution), status: 200 as const };
          await warnOfNobody(session, 'distributions', created);
          return { body: created.map(toDistribution) };
        },
        { rollback: isDryRun },
      );
    },
  }),
  totals(PAYMENTS, 'distributions/read', 'distributions', z.array(distributionTotalSchema), async (session, query) =>
    (await totalDistributions(session, query)).map(({ currency, count, ...amounts }) => ({
      count,
      ...totalsBody(amounts, currency),
    })),
  ),
  regenerate(PAYMENTS, 'distributions'),
  ...issueRequests(PAYMENTS, 'distributions', {
    write: 'distributions/write',
    response: distributionSchema,
    toBody: toDistribution,
    submit: submitDistributions,
    giveBack: returnDistributions,
  }),
  ...shared({
    ...ofCollection('capitalAccounts'),
    told: 'capital_accounts',
    response: capitalAccountSchema,
    toBody: toCapitalAccount,
    list: { listable: CAPITAL_ACCOUNTS, load: listCapitalAccounts },
    change: { item: statementChangeSchema, run: changeCapitalAccounts },
    remove: removeCapitalAccounts,
    createMany: { item: capitalAccountCreateSchema, most: 150, run: createCapitalAccounts },
  }),
  ...issueRequests(callsOf('capitalAccounts'), 'capital account statements', {
    write: 'funds/write',
    whole: 'Names all drafts of the fund or main fund and day',
    response: capitalAccountSchema,
    toBody: toCapitalAccount,
    submit: submitCapitalAccounts,
    giveBack: returnCapitalAccounts,
  }),
  ...shared({
    ...ofCollection('reports'),
    told: 'reports',
    response: reportSchema,
    toBody: toReport,
    list: { listable: REPORTS, load: listReports },
    change: { item: statementChangeSchema, run: changeReports },
    remove: removeReports,
    createMany: { item: reportCreateSchema, most: 300, run: createReports },
  }),
  ...shared({
    ...ofCollection('navs'),
    response: navSchema,
    toBody: toNav,
    list: { listable: NAVS, load: listNavs },
    change: { item: navChangeSchema, run: changeNavs },
    remove: removeNavs,
    createMany: { item: navCreateSchema, most: 10, run: createNavs },
  }),
  ...issueRequests(callsOf('navs'), 'NAVs', {
    write: 'funds/write',
    whole: 'Names all drafts of the fund and day',
    response: navSchema,
    toBody: toNav,
    submit: submitNavs,
    giveBack: returnNavs,
  }),
  totals(
    '/crud/navs',
    'funds/read',
    'NAVs',
    totalOf({ gross: wireAmountSchema, net: wireAmountSchema }),
    async (session, query) =>
      (await totalNavs(session, query)).map(({ currency, count, gross, net }) => ({
        count,
        gross: inCurrency(gross, currency),
        net: inCurrency(net, currency),
      })),
  ),
  ...shared({
    ...ofCollection('writeOffs'),
    response: writeOffSchema,
    toBody: toWriteOff,
    list: { listable: WRITE_OFFS, load: listWriteOffs },
    change: { item: writeOffChangeSchema, run: changeWriteOffs },
    remove: removeWriteOffs,
    createMany: { item: writeOffCreateSchema, run: createWriteOffs },
  }),
  ...issueRequests(callsOf('writeOffs'), 'write-offs', {
    write: 'funds/write',
    whole: 'Names all drafts that were entered together',
    response: writeOffSchema,
    toBody: toWriteOff,
    submit: submitWriteOffs,
    giveBack: returnWriteOffs,
  }),
  totals('/crud/writeOffs', 'funds/read', 'write-offs', writeOffTotalsSchema, async (session, query) =>
    (await totalWriteOffs(session, query)).map(({ currency, totalWriteOffs: sum }) => ({
      totalWriteOffs: exactNumber(sum),
      currency,
    })),
  ),
];
