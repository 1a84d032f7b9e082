import { withReads } from '@tapeline/db/operations/activities/activities.ts';
import { listCallHeaders, listDistributionHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { listNavs, navDrafts } from '@tapeline/db/operations/capital/navs.ts';
import { listWriteOffs } from '@tapeline/db/operations/capital/write-offs.ts';
import { fundCommitmentsAt } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { listFundDocuments } from '@tapeline/db/operations/documents/fund-documents.ts';
import { type FundView as Fund, getFundView } from '@tapeline/db/operations/funds/funds.ts';
import { mainFundTitlesOf } from '@tapeline/db/operations/funds/main-funds.ts';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import type { Session } from '@tapeline/db/store.ts';
import { committedSeries } from '@tapeline/domain/commitments/committed-series.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { readCapital } from '../../../commands/capital.server.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { pageOfDocuments } from '../../capital/documents/document-page.server.ts';
import { readPerformance } from './performance.server.ts';
import { FUND_TABS, type FundView, ROWS_PER_TAB } from './tabs.ts';

/** Investors on the overview. */
const LARGEST = 5;

/** What the tabs read from, besides the address. */
interface Opened {
  readonly fund: Fund;
  /** The day that figures are as of. */
  readonly date: string;
  readonly commitments: Awaited<ReturnType<typeof fundCommitmentsAt>>['commitments'] | null;
}

type Load = (session: Session, opened: Opened, screen: Screen) => unknown;

/** The commitments as a table shows them. */
const rowsOf = (commitments: NonNullable<Opened['commitments']>) =>
  commitments.map(({ deltas, ...commitment }) => ({ ...commitment, changes: deltas.length }));

const isCounted = ({ active }: { active: string | null }) => active !== null;

/** The page of a fund's calls, distributions, NAVs or write-offs that the address asks for, the latest first. */
const pageOf = ({ id }: Fund, { searchParams }: URL) => ({
  filter: { fund: id },
  skip: skipOf(searchParams),
  limit: ROWS_PER_TAB,
});

const LATEST = { cutOffDate: -1 } as const;

/** What each tab shows. */
const LOADERS = {
  overview: async (session: Session, { fund, commitments }: Opened, { actor }: Screen) => {
    const providers =
      fund.serviceProviderIds.length > 0
        ? await listServiceProviders(session, {
            filter: { id: { in: fund.serviceProviderIds } },
            sort: { title: 1 },
            limit: fund.serviceProviderIds.length,
          })
        : null;
    const counted = (commitments ?? []).filter(isCounted);
    return {
      series: committedSeries(counted),
      largest: rowsOf(counted.slice(0, LARGEST)),
      timeline: fund.timeline,
      providers: (providers?.documents ?? []).map(({ id, title, type }) => ({ id, title, type })),
      mayReadEntities: can(actor, 'entities/read'),
      classes: fund.classes.map(({ name, uniqueKey }) => {
        const own = counted.filter(({ Class }) => Class === uniqueKey);
        return {
          name,
          uniqueKey,
          investors: new Set(own.map(({ investorId }) => investorId)).size,
          committed: commitments && sum(own.map(({ active }) => active ?? '0')),
        };
      }),
    };
  },
  investors: async (_: Session, { commitments }: Opened, { url }: Screen) => {
    const skip = skipOf(url.searchParams);
    const all = commitments ?? [];
    return { rows: rowsOf(all.slice(skip, skip + ROWS_PER_TAB)), total: all.length };
  },
  calls: async (session: Session, { fund }: Opened, { url, actor }: Screen) => ({
    ...(await listCallHeaders(session, pageOf(fund, url))),
    mayAdd: fund.status === 'Active' && can(actor, 'contributions/write'),
  }),
  distributions: async (session: Session, { fund }: Opened, { url, actor }: Screen) => ({
    ...(await listDistributionHeaders(session, pageOf(fund, url))),
    mayAdd: fund.status === 'Active' && can(actor, 'distributions/write'),
  }),
  navs: async (session: Session, { fund }: Opened, { url }: Screen) => {
    const navs = await listNavs(session, { ...pageOf(fund, url), sort: LATEST });
    return {
      drafts: await navDrafts(session, fund.id),
      rows: navs.documents.map(({ id, status, Class, cutOffDate, gross, net, investor }) => ({
        id,
        status,
        Class: Class ?? null,
        cutOffDate,
        gross,
        net,
        investor: investor?.title ?? null,
      })),
      total: navs.total,
    };
  },
  writeOffs: async (session: Session, { fund }: Opened, { url }: Screen) => {
    const writeOffs = await listWriteOffs(session, { ...pageOf(fund, url), sort: LATEST });
    return {
      rows: writeOffs.documents.map(({ id, status, Class, cutOffDate, amount, investor }) => ({
        id,
        status,
        Class: Class ?? null,
        cutOffDate,
        amount,
        investor: investor?.title ?? null,
      })),
      total: writeOffs.total,
    };
  },
  performance: readPerformance,
  timeline: async (_: Session, { fund }: Opened) => ({ timeline: fund.timeline }),
  documents: async (session: Session, { fund }: Opened, { url }: Screen) => {
    const of = { fundId: fund.id, mainFundId: fund.mainFundId ?? null };
    const { documents, ...counts } = await listFundDocuments(session, of, pageOfDocuments(url));
    return { rows: await withReads(session, documents), ...counts };
  },
  history: async (session: Session, { fund, commitments }: Opened, { url }: Screen) => ({
    history: await documentHistory(
      session,
      [
        { resource: 'funds', ids: [fund.id] },
        { resource: 'LPCommitments', ids: (commitments ?? []).map(({ id }) => id) },
      ],
      url.searchParams,
    ),
  }),
} satisfies Record<FundView, Load>;

type Loaded = { [View in FundView]: { view: View } & Awaited<ReturnType<(typeof LOADERS)[View]>> }[FundView];

/** What the page of a fund shows: its header, and the tab of the address. */
export const readFundPage = (screen: Screen) =>
  screen.db(async (session) => {
    const { actor, params, url } = screen;
    const { fund } = await getFundView(session, params.id ?? '');
    const today = session.now.toISOString().slice(0, 10);
    const asked = url.searchParams.get('date') ?? '';
    const date = isCalendarDate(asked) ? asked : today;
    const found = can(actor, 'LPs/commitments/read') ? await fundCommitmentsAt(session, fund.id, date) : null;
    const tabs = FUND_TABS.filter(({ permission }) => can(actor, permission));
    const view: FundView = tabs.find((tab) => tab.view === url.searchParams.get('view'))?.view ?? 'overview';
    const loaded = await LOADERS[view](session, { fund, date, commitments: found?.commitments ?? null }, screen);
    const mainFund = fund.mainFundId ? (await mainFundTitlesOf(session, [fund.mainFundId])).get(fund.mainFundId) : null;
    const namesOf = (ids: readonly string[]) =>
      ids.flatMap((id) => (fund.partyNames[id] ? [{ id, name: fund.partyNames[id] }] : []));
    const counted = (found?.commitments ?? []).filter(isCounted);
    return {
      id: fund.id,
      title: fund.title,
      status: fund.status,
      type: fund.type,
      strategy: fund.strategy,
      currency: fund.currency,
      description: fund.description ?? null,
      targetSize: fund.targetSize,
      hardCap: fund.hardCap,
      closingDate: fund.closingDate ?? null,
      nonRecyclable: fund.nonRecyclable ?? null,
      externalCode: fund.externalCode,
      excludeFromIRR: fund.excludeFromIrrCalculations,
      classes: fund.classes,
      entity: fund.entity && { id: fund.entity.id, name: fund.entity.name },
      partners: namesOf(fund.gpIds),
      managementCompany: namesOf(fund.managementCompanyId ? [fund.managementCompanyId] : [])[0] ?? null,
      mainFund: fund.mainFundId && mainFund ? { id: fund.mainFundId, title: mainFund } : null,
      date,
      today,
      committed: found?.committed ?? null,
      capital: await readCapital(session, { fundId: fund.id, cutOffDate: date }),
      firstClosing: counted.map(({ closingDate }) => closingDate).sort()[0] ?? null,
      investors: new Set(counted.map(({ investorId }) => investorId)).size,
      views: tabs.map((tab) => tab.view),
      // An investor sees only its own commitments, so shares of the whole are unknown to it.
      isInvestor: actor.lpIds.length > 0,
      mayWrite: can(actor, 'funds/write'),
      mayCommit: can(actor, 'LPs/commitments/write'),
      tab: { view, ...loaded } as Loaded,
    };
  });

export type FundPage = Awaited<ReturnType<typeof readFundPage>>;
/** What a tab shows, with the page around it. */
export type TabPage<View extends FundView> = FundPage & { tab: Extract<Loaded, { view: View }> };
