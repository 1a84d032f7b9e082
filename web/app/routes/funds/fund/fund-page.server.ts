import { redirect } from '@remix-run/node';
import { withReads } from '@tapeline/db/operations/activities/activities.ts';
import { seesActivity } from '@tapeline/db/operations/capital/activity.ts';
import { listCallHeaders, listDistributionHeaders } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { capitalCourse } from '@tapeline/db/operations/capital/capital-course.ts';
import { figuresByClass } from '@tapeline/db/operations/capital/class-figures.ts';
import { positionsAt } from '@tapeline/db/operations/capital/figures.ts';
import { setsToIssue } from '@tapeline/db/operations/capital/issue-reviews.ts';
import { navDrafts } from '@tapeline/db/operations/capital/navs.ts';
import { navsByQuarter } from '@tapeline/db/operations/capital/navs-by-quarter.ts';
import { listWriteOffs } from '@tapeline/db/operations/capital/write-offs.ts';
import { closingsOfFund } from '@tapeline/db/operations/closings/closings.ts';
import { fundCommitmentsAt } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { latestDocumentEvents, listFundDocuments } from '@tapeline/db/operations/documents/fund-documents.ts';
import { type FundView as Fund, getFundView } from '@tapeline/db/operations/funds/funds.ts';
import { mainFundTitlesOf } from '@tapeline/db/operations/funds/main-funds.ts';
import { shownProposal } from '@tapeline/db/operations/funds/terms-approval.ts';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { chosenReminders, REMINDER_LABELS } from '@tapeline/domain/cash/reminders.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { add, subtract } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { readCapital } from '../../../commands/capital.server.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { skipOf } from '../../../components/page/skip.ts';
import { viewOf } from '../../../components/page/view-of.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { pageOfDocuments } from '../../capital/documents/document-page.server.ts';
import { paidOf } from '../../cash/paid.server.ts';
import { readInvestorTerms, readLatestFees, readPerformance, readTermFees } from './performance.server.ts';
import {
  EARLIER_QUARTERS,
  EARLIER_VIEWS,
  type FundView,
  fundTabsOf,
  ROWS_PER_LIST,
  ROWS_PER_TAB,
  SECOND_LIST,
  SHOWN_QUARTERS,
} from './tabs.ts';

/** Calls and distributions, and events of documents, on the overview. */
const LATEST_ACTIVITY = 5;
const LATEST_DOCUMENTS = 5;

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

/** The page of a list of the fund's documents that the address asks for. */
const pageOf = ({ id }: Fund, { searchParams }: URL, limit: number, name?: string) => ({
  filter: { fund: id },
  skip: skipOf(searchParams, name),
  limit,
});

const LATEST = { cutOffDate: -1 } as const;

/** The latest calls and distributions together, as far as the actor may read them. */
async function latestActivity(session: Session, { id }: Fund, { actor }: Screen) {
  const query = { filter: { fund: id }, sort: LATEST, limit: LATEST_ACTIVITY };
  const nothing = { rows: [], total: 0 };
  const calls = can(actor, 'contributions/read') ? await listCallHeaders(session, query) : nothing;
  const distributions = can(actor, 'distributions/read') ? await listDistributionHeaders(session, query) : nothing;
  const rows = [
    ...calls.rows.map((row) => ({ kind: 'call' as const, ...row, day: row.dueDate })),
    ...distributions.rows.map((row) => ({ kind: 'distribution' as const, ...row, day: row.cutOffDate })),
  ]
    .sort((a, b) => (a.cutOffDate < b.cutOffDate ? 1 : a.cutOffDate > b.cutOffDate ? -1 : 0))
    .slice(0, LATEST_ACTIVITY)
    .map(({ kind, id: header, callNumber, day, amount, status }) => ({
      kind,
      id: header,
      callNumber,
      day,
      amount,
      status,
    }));
  return { rows, total: calls.total + distributions.total };
}

/** What each tab shows. */
const LOADERS = {
  overview: async (session: Session, opened: Opened, screen: Screen) => {
    const { fund, date } = opened;
    const seesCommitments = opened.commitments !== null;
    const classes = seesCommitments ? await figuresByClass(session, { fundId: fund.id, cutOffDate: date }) : [];
    return {
      course: seesCommitments
        ? await capitalCourse(session, { fundId: fund.id, cutOffDate: date, currency: fund.currency })
        : null,
      classes: classes
        .map(({ Class, ...figures }) => ({ name: classNameOf(fund.classes, Class), ...figures }))
        .sort((a, b) => (a.name ?? '').localeCompare(b.name ?? '', 'en')),
      fees: seesCommitments ? await readLatestFees(session, { fund, date }) : null,
      activity: await latestActivity(session, fund, screen),
      documents: await latestDocumentEvents(
        session,
        { fundId: fund.id, mainFundId: fund.mainFundId ?? null },
        { limit: LATEST_DOCUMENTS },
      ),
      timeline: fund.timeline,
    };
  },
  investors: async (session: Session, { fund, date, commitments }: Opened, { url, actor }: Screen) => {
    const skip = skipOf(url.searchParams);
    const all = commitments ?? [];
    const withFigures = seesActivity(actor);
    const found = withFigures ? await positionsAt(session, { fundId: fund.id, cutOffDate: date }) : [];
    const positions = new Map(found.map((one) => [one.commitmentId, one]));
    return {
      withFigures,
      rows: rowsOf(all.slice(skip, skip + ROWS_PER_TAB)).map((row) => {
        const { called = null, unfunded = null, distributed = null, nav = null } = positions.get(row.id) ?? {};
        return { ...row, called, unfunded, distributed, nav };
      }),
      total: all.length,
      closings: (commitments === null || !seesActivity(actor) ? [] : await closingsOfFund(session, fund.id)).map(
        ({ id, title, closingDate, status, figures }) => ({
          id,
          title,
          closingDate,
          status,
          added: subtract(figures.commitments.after, figures.commitments.before),
          paidIn: add(figures.paidIn.capital, figures.paidIn.interest),
        }),
      ),
    };
  },
  activity: async (session: Session, { fund }: Opened, { url, actor }: Screen) => ({
    paid: await paidOf(session, { direction: 'in', fund: fund.id }, { withRows: false }),
    calls: can(actor, 'contributions/read')
      ? {
          ...(await listCallHeaders(session, pageOf(fund, url, ROWS_PER_LIST))),
          mayAdd: fund.status === 'Active' && can(actor, 'contributions/write'),
        }
      : null,
    distributions: can(actor, 'distributions/read')
      ? {
          ...(await listDistributionHeaders(session, pageOf(fund, url, ROWS_PER_LIST, SECOND_LIST))),
          mayAdd: fund.status === 'Active' && can(actor, 'distributions/write'),
        }
      : null,
  }),
  navs: async (session: Session, { fund }: Opened, { url, actor }: Screen) => {
    const writeOffs = await listWriteOffs(session, { ...pageOf(fund, url, ROWS_PER_LIST, SECOND_LIST), sort: LATEST });
    return {
      drafts: await navDrafts(session, fund.id),
      toIssue: can(actor, 'funds/write') ? await setsToIssue(session, { fundId: fund.id }, ['navs', 'write_offs']) : [],
      value: url.searchParams.get('value') === 'gross' ? ('gross' as const) : ('net' as const),
      navs: await navsByQuarter(
        session,
        { fund: fund.id },
        {
          skip: skipOf(url.searchParams),
          limit: ROWS_PER_LIST,
          skipQuarters: skipOf(url.searchParams, EARLIER_QUARTERS),
          limitQuarters: SHOWN_QUARTERS,
        },
      ),
      writeOffs: {
        rows: writeOffs.documents.map(({ id, status, Class, cutOffDate, amount, investor }) => ({
          id,
          status,
          Class: Class ?? null,
          cutOffDate,
          amount,
          investor: investor?.title ?? null,
        })),
        total: writeOffs.total,
      },
    };
  },
  performance: readPerformance,
  documents: async (session: Session, { fund }: Opened, { url, actor }: Screen) => {
    const of = { fundId: fund.id, mainFundId: fund.mainFundId ?? null };
    const { documents, ...counts } = await listFundDocuments(session, of, pageOfDocuments(url));
    const toIssue = can(actor, 'funds/write')
      ? await setsToIssue(session, { fundId: fund.id }, ['capital_accounts'])
      : [];
    return { rows: await withReads(session, documents), ...counts, toIssue };
  },
  terms: async (session: Session, { fund, date }: Opened, { url, actor }: Screen) => {
    const providers =
      fund.serviceProviderIds.length > 0
        ? await listServiceProviders(session, {
            filter: { id: { in: fund.serviceProviderIds } },
            sort: { title: 1 },
            limit: fund.serviceProviderIds.length,
          })
        : null;
    return {
      timeline: fund.timeline,
      providers: (providers?.documents ?? []).map(({ id, title, type }) => ({ id, title, type })),
      mayReadEntities: can(actor, 'entities/read'),
      fees: can(actor, 'LPs/commitments/read') ? await readTermFees(session, { fund, date }, url.searchParams) : null,
      mayCall: can(actor, 'contributions/write'),
      feeTerms: fund.feeTerms,
      proposal: can(actor, 'funds/write') ? await shownProposal(session, 'funds', fund.id) : null,
      investmentPeriodEnd: fund.investmentPeriodEnd ?? null,
      reminders: chosenReminders(fund.reminders).map((kind) => REMINDER_LABELS[kind]),
      investorTerms: can(actor, 'LPs/commitments/read')
        ? await readInvestorTerms(session, { fund, date }, url.searchParams)
        : null,
    };
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
    const today = todayOf(session);
    const asked = url.searchParams.get('date') ?? '';
    const date = isCalendarDate(asked) ? asked : today;
    const found = can(actor, 'LPs/commitments/read') ? await fundCommitmentsAt(session, fund.id, date) : null;
    const tabs = fundTabsOf(actor);
    const earlier = EARLIER_VIEWS[url.searchParams.get('view') ?? ''];
    if (earlier) {
      const next = new URL(url);
      next.searchParams.set('view', earlier.view);
      throw redirect(`${next.pathname}${next.search}${earlier.anchor}`);
    }
    const view = viewOf(
      url,
      tabs.map((tab) => tab.view),
    );
    const loaded = await LOADERS[view](session, { fund, date, commitments: found?.commitments ?? null }, screen);
    const mainFund = fund.mainFundId ? (await mainFundTitlesOf(session, [fund.mainFundId])).get(fund.mainFundId) : null;
    const namesOf = (ids: readonly string[]) =>
      ids.flatMap((id) => (fund.partyNames[id] ? [{ id, name: fund.partyNames[id] }] : []));
    const counted = (found?.commitments ?? []).filter(isCounted);
    return {
      ...pick(fund, 'id', 'title', 'status', 'type', 'strategy', 'currency'),
      description: fund.description ?? null,
      targetSize: fund.targetSize,
      hardCap: fund.hardCap,
      closingDate: fund.closingDate ?? null,
      nonRecyclable: fund.nonRecyclable ?? null,
      externalCode: fund.externalCode,
      excludeFromIRR: fund.excludeFromIrrCalculations,
      excuseCap: fund.excuseCap ?? null,
      equalization: fund.equalization ?? null,
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
      tabs,
      // An investor sees only its own commitments, so shares of the whole are unknown to it.
      isInvestor: actor.lpIds.length > 0,
      mayWrite: can(actor, 'funds/write'),
      mayCommit: can(actor, 'LPs/commitments/write'),
      mayCall: fund.status === 'Active' && can(actor, 'contributions/write'),
      mayClose:
        fund.status === 'Active' &&
        (['LPs/commitments/write', 'contributions/write', 'distributions/write'] as const).every((key) =>
          can(actor, key),
        ),
      mayDistribute: fund.status === 'Active' && can(actor, 'distributions/write'),
      /** The files that the page offers. Lists of all investors are for managers. */
      exports: [
        ...(actor.lpIds.length === 0 && can(actor, 'LPs/commitments/read') ? (['commitments'] as const) : []),
        ...(seesActivity(actor) ? (['cashFlows'] as const) : []),
      ],
      tab: { view, ...loaded } as Loaded,
    };
  });

export type FundPage = Awaited<ReturnType<typeof readFundPage>>;
/** What a tab shows, with the page around it. */
export type FundTab<View extends FundView> = FundPage & { tab: Extract<Loaded, { view: View }> };
