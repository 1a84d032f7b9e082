import { seesReaders } from '@tapeline/db/operations/activities/activities.ts';
import { activityOfInvestor, seesActivity } from '@tapeline/db/operations/capital/activity.ts';
import { navsByQuarter } from '@tapeline/db/operations/capital/navs-by-quarter.ts';
import { ownPositions } from '@tapeline/db/operations/capital/own-capital.ts';
import { toldOfInvestor } from '@tapeline/db/operations/capital/tell-investors.ts';
import { defaultInterestOf } from '@tapeline/db/operations/cash/default-interest.ts';
import { investorCommitmentsAt } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { shownRecord } from '@tapeline/db/operations/investors/investor-record.ts';
import { getLP } from '@tapeline/db/operations/investors/investors.ts';
import { shownPayout } from '@tapeline/db/operations/investors/payout-accounts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { readCapital } from '../../commands/capital.server.ts';
import { documentHistory } from '../../commands/history.server.ts';
import { payoutAccountsOf } from '../../components/organizations/account-request.server.ts';
import { connectedTo, shownEntity } from '../../components/organizations/organization-page.server.ts';
import { skipOf } from '../../components/page/skip.ts';
import { viewOf } from '../../components/page/view-of.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paidOf } from '../cash/paid.server.ts';
import { DOCUMENTS_SHOWN } from '../documents/document-section.tsx';
import { findDocuments } from '../documents/documents.server.ts';
import { EARLIER_QUARTERS, ROWS_PER_LIST, SHOWN_QUARTERS } from '../funds/fund/tabs.ts';
import { ENTRIES_PER_PAGE, entriesPage } from './activity-pages.ts';

type Investor = Awaited<ReturnType<typeof getLP>>;

/** Commitments whose figures the overview shows. */
const MAX_POSITIONS = 200;

/** The investor's commitments as they are today; null for actors who may not see them. */
type Commitments = Awaited<ReturnType<typeof investorCommitmentsAt>> | null;

type Load = (session: Session, investor: Investor, screen: Screen, commitments: Commitments) => Promise<object>;

/** The investor's commitments with their figures. */
async function withFiguresOf(session: Session, { id }: Investor, found: NonNullable<Commitments>) {
  const today = todayOf(session);
  const withFigures = seesActivity(session.actor);
  const { positions } = withFigures
    ? await ownPositions(session, { investorId: id, limit: MAX_POSITIONS })
    : { positions: [] };
  const figures = new Map(positions.map((one) => [one.commitmentId, one]));
  return {
    today,
    withFigures,
    rows: found.map(({ deltas: _, ...one }) => {
      const { called = null, unfunded = null, distributed = null, nav = null, tvpi = null } = figures.get(one.id) ?? {};
      return { ...one, called, unfunded, distributed, nav, tvpi, netIrr: figures.get(one.id)?.netIrr ?? null };
    }),
  };
}

const LOADERS = {
  overview: async (session, investor, { actor, url }, commitments) => ({
    commitments: commitments && (await withFiguresOf(session, investor, commitments)),
    navs: can(actor, 'funds/read')
      ? await navsByQuarter(
          session,
          { investor: investor.id },
          {
            skip: skipOf(url.searchParams),
            limit: ROWS_PER_LIST,
            skipQuarters: skipOf(url.searchParams, EARLIER_QUARTERS),
            limitQuarters: SHOWN_QUARTERS,
          },
        )
      : null,
    // Whoever is told of their own investments need not be shown that.
    told: actor.lpIds.length > 0 ? null : await toldOfInvestor(session, investor),
  }),
  activity: async (session, { id }, { url }) => {
    const { cutOffDate, currencies } = await activityOfInvestor(session, { id });
    return {
      paid: await paidOf(session, { direction: 'in', party: id }),
      late: await defaultInterestOf(session, { party: id }),
      cutOffDate,
      currencies: currencies.map(({ entries, ...one }) => {
        const skip = skipOf(url.searchParams, entriesPage(one.currency));
        return { ...one, count: entries.length, entries: entries.toReversed().slice(skip, skip + ENTRIES_PER_PAGE) };
      }),
    };
  },
  documents: async (session, { id }, { url }) => ({
    documents: await findDocuments(
      session,
      { investor: id },
      { skip: skipOf(url.searchParams), limit: DOCUMENTS_SHOWN },
    ),
    withReads: seesReaders(session),
  }),
  details: async (session, investor, { actor }) => ({
    record: shownRecord(investor),
    today: todayOf(session),
    payouts: await payoutAccountsOf(session, actor, {
      ...{ kind: 'LPs', id: investor.id },
      accounts: investor.payoutAccounts.map(shownPayout),
    }),
    entity: shownEntity(investor.entity),
    domains: investor.domains,
    connected: await connectedTo(
      session,
      { kind: 'LP', id: investor.id, groupId: investor.groupId ?? null },
      investor.entity.id,
    ),
  }),
  history: async (session, { id, entity }, { url }) => ({
    history: await documentHistory(
      session,
      [
        { resource: 'LPs', ids: [id] },
        { resource: 'entities', ids: [entity.id] },
      ],
      url.searchParams,
    ),
  }),
} satisfies Record<string, Load>;

export type InvestorView = keyof typeof LOADERS;

type Loaded = { [View in InvestorView]: { view: View } & Awaited<ReturnType<(typeof LOADERS)[View]>> }[InvestorView];

/** The tabs that the actor may read. */
function viewsOf({ actor }: Screen): InvestorView[] {
  const isShown: Record<InvestorView, boolean> = {
    overview: true,
    activity: seesActivity(actor),
    documents: can(actor, 'funds/read'),
    details: true,
    history: can(actor, 'history/read'),
  };
  return (Object.keys(LOADERS) as InvestorView[]).filter((view) => isShown[view]);
}

/** The capital figures of the investor today, with what is committed. */
async function capitalOf(session: Session, { id }: Investor, commitments: NonNullable<Commitments>) {
  const today = todayOf(session);
  const capital = seesActivity(session.actor)
    ? await readCapital(session, { investorId: id, cutOffDate: today })
    : null;
  const inForce = commitments.flatMap(({ active, currency }) => (active === null ? [] : [{ sum: active, currency }]));
  return {
    capital,
    today,
    committed: [...Map.groupBy(inForce, ({ currency }) => currency)].map(([currency, amounts]) => ({
      sum: sum(amounts.map((amount) => amount.sum)),
      currency,
    })),
    commitments: commitments.length,
  };
}

/** An investor with the tab that the address asks for. */
export const readInvestorPage = (screen: Screen) =>
  screen.db(async (session) => {
    const { actor, params, url } = screen;
    const investor = await getLP(session, params.id ?? '');
    const { id, status, title, group, externalCode, metadata, lastVisitedStats } = investor;
    const views = viewsOf(screen);
    const view = viewOf(url, views);
    const commitments = can(actor, 'LPs/commitments/read')
      ? await investorCommitmentsAt(session, investor.id, todayOf(session))
      : null;
    return {
      id,
      status,
      title,
      group,
      externalCode,
      lastVisitedStats,
      createdAt: metadata.iat,
      figures: commitments && (await capitalOf(session, investor, commitments)),
      mayWrite: can(actor, 'LPs/write'),
      views,
      tab: { view, ...(await LOADERS[view](session, investor, screen, commitments)) } as Loaded,
    };
  });

export type InvestorPage = Awaited<ReturnType<typeof readInvestorPage>>;
/** What a tab shows, with the page around it. */
export type InvestorTab<View extends InvestorView> = InvestorPage & { tab: Extract<Loaded, { view: View }> };
