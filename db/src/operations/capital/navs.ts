import type { NavChange, NavCreate } from '@tapeline/domain/capital/nav.schema.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { atItem, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { Nav } from '../../entities/capital.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import {
  defineListable,
  listDocuments,
  type Page,
  readForDocuments,
  totalDocuments,
} from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments } from './capital-changes.ts';
import { commitmentsInForce } from './ledgers.ts';
import { commitmentFields } from './notices.ts';
import { copiedFrom, lockedFund, refuse, requireAmounts, splitOverInvestors } from './split-over-investors.ts';

export const NAVS = defineListable(
  Nav,
  'navs',
  [
    ['gross', 'Gross', 'decimal', 't.gross', 'currency'],
    ['net', 'Net', 'decimal', 't.net', 'currency'],
  ],
  commitmentFields('t.status'),
);

/** A value that was entered wrongly is corrected in place; its history keeps the earlier one. */
const COLLECTION: ChangeableCapital<Nav> = { listable: NAVS, write: 'funds/write', editable: ['Draft', 'Active'] };

/** A net asset value with its investor. */
export type NavView = Nav & { investor: InvestorName | null };

/** A page of the NAVs that the actor can see. */
export async function listNavs(session: ReadSession, query: unknown = {}): Promise<Page<NavView>> {
  const { documents, total, rows } = await listDocuments(session, NAVS, query, { statements: [INVESTORS_OF_PAGE] });
  return { documents: withInvestors(documents, rows[0]), total };
}

async function viewNavs(session: ReadSession, navs: readonly Nav[]): Promise<NavView[]> {
  const [rows] = await readForDocuments(session, NAVS, navs, [INVESTORS_OF_PAGE]);
  return withInvestors(navs, rows);
}

/** One issued value of an investor a day. @throws Refusal badRequest (flag on `cutOffDate`) */
async function requireFirst(
  session: Session,
  nav: { id: string | null; commitmentId: string; cutOffDate: string },
): Promise<void> {
  const [other] = await session.query(
    `select from navs where commitment_id = $1 and cut_off_date = $2 and id is distinct from $3 and status in ('Active', 'Closed') limit 1`,
    [nav.commitmentId, nav.cutOffDate, nav.id],
  );
  if (!other) return;
  refuse(`This investor already has a NAV on ${formatCalendarDate(nav.cutOffDate)}. Change or remove that one`, {
    cutOffDate: 'already has a NAV of this investor',
  });
}

async function createNav(session: Session, body: NavCreate): Promise<Nav> {
  const fund = await lockedFund(session, body.fund, body.Class);
  requireAmounts(fund, {
    gross: { sum: body.gross, currency: body.currency },
    net: { sum: body.net, currency: body.currency },
  });
  const own = await commitmentsInForce(session, {
    fundId: fund.id,
    Class: body.Class ?? null,
    investorId: body.investor.id,
  });
  const [commitment] = own;
  if (!commitment) {
    return refuse('This investor has no commitment to the fund', { 'investor.id': 'has no commitment to this fund' });
  }
  if (own.length > 1) {
    refuse('This investor has commitments to several classes. Name the class', { Class: 'is required' });
  }
  const status = body.status ?? 'Active';
  const { cutOffDate } = body;
  if (status === 'Active') await requireFirst(session, { id: null, commitmentId: commitment.id, cutOffDate });
  const nav = session.em.create(Nav, {
    id: newId(session.now),
    ...copiedFrom(commitment),
    status,
    cutOffDate,
    gross: body.gross,
    net: body.net,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return nav;
}

/**
 * Records net asset values, all or none.
 * @param bodies as `navCreateSchema` returns them
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags, naming the item
 */
export async function createNavs(session: Session, bodies: readonly NavCreate[]): Promise<NavView[]> {
  requirePermission(session, 'funds/write');
  const created: Nav[] = [];
  for (const [place, body] of bodies.entries()) {
    try {
      created.push(await createNav(session, body));
    } catch (error) {
      throw atItem(error, place);
    }
  }
  return viewNavs(session, created);
}

/**
 * Splits the net asset value of a fund over its investors, by their commitments on the day. Nothing is stored.
 * @param values of the fund, at least 0
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags
 */
export async function splitNav(
  session: Session,
  { fund: id, cutOffDate, gross, net }: Pick<NavCreate, 'fund' | 'cutOffDate' | 'gross' | 'net'>,
): Promise<{ commitment: string; gross: DecimalText; net: DecimalText }[]> {
  requirePermission(session, 'funds/write');
  const fund = await lockedFund(session, id, null);
  requireAmounts(fund, { gross: { sum: gross, currency: null }, net: { sum: net, currency: null } });
  const parts = await asProgram(session, () => splitOverInvestors(session, { fund, cutOffDate, lines: [gross, net] }));
  return parts.map(({ commitment, amounts: [ownGross = '0', ownNet = '0'] }) => ({
    commitment: commitment.id,
    gross: ownGross,
    net: ownNet,
  }));
}

/** Changes NAVs, all or none. @throws Refusal as `changeDocuments`, and as `createNavs` */
export async function changeNavs(session: Session, items: readonly NavChange[]): Promise<NavView[]> {
  const { documents } = await changeDocuments(session, COLLECTION, items, async (nav, item) => {
    requireAmounts(nav, {
      ...(item.gross === undefined ? {} : { gross: { sum: item.gross, currency: null } }),
      ...(item.net === undefined ? {} : { net: { sum: item.net, currency: null } }),
    });
    const { id, commitmentId, cutOffDate } = nav;
    if ((item.status ?? nav.status) !== 'Draft') {
      await requireFirst(session, { id, commitmentId, cutOffDate: item.cutOffDate ?? cutOffDate });
    }
    return { cutOffDate: item.cutOffDate, gross: item.gross, net: item.net } as Partial<Nav>;
  });
  return viewNavs(session, documents);
}

/** Removes NAVs (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeNavs(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  await removeDocuments(session, COLLECTION, command);
}

/** The NAVs that match the query's filter, added up by currency. */
export async function totalNavs(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; count: number; gross: DecimalText; net: DecimalText }[]> {
  const totals = await totalDocuments(session, NAVS, query, { gross: 't.gross', net: 't.net' });
  return totals.map(({ currency, count, sums }) => ({ currency, count, ...sums }));
}

/** Draft NAVs of a fund, by day. */
export const navDrafts = (
  session: ReadSession,
  fundId: string,
): Promise<{ cutOffDate: string; count: number; gross: DecimalText; net: DecimalText }[]> =>
  session.query(
    `select cut_off_date::text as "cutOffDate", count(*)::int as count, sum(gross)::text as gross, sum(net)::text as net
     from navs where fund_id = $1 and status = 'Draft' group by cut_off_date order by cut_off_date desc`,
    [fundId],
  );

/**
 * Issues or discards all draft NAVs of a fund and day that the actor can see.
 * @throws Refusal forbidden; notFound without drafts; badRequest as `changeNavs`
 */
export async function settleNavDrafts(
  session: Session,
  { fundId, cutOffDate, step }: { fundId: string; cutOffDate: string; step: 'issue' | 'discard' },
): Promise<void> {
  requirePermission(session, 'funds/write');
  const drafts = await session.em.find(Nav, { fundId, cutOffDate, status: 'Draft' });
  if (drafts.length === 0) throw new Refusal('notFound');
  if (step === 'discard') await removeNavs(session, { ids: drafts.map(({ id }) => id) });
  else
    await changeNavs(
      session,
      drafts.map(({ id, version }) => ({ id, version, status: 'Active' })),
    );
}
