import type { NavChange, NavCreate } from '@tapeline/domain/capital/nav.schema.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { checkAll, eachItem, type OnRefusal, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { Nav } from '../../entities/capital.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { listOf } from '../listing/define-lists.ts';
import { totalDocuments } from '../listing/list-figures.ts';
import { viewsOf } from '../listing/views.ts';
import { createdFrom } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { warnOfFuture } from '../warnings.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments } from './capital-changes.ts';
import type { HeaderCommand } from './change-headers.ts';
import {
  activitiesOf,
  ISSUES_OF_LINES,
  type IssueState,
  issueStates,
  settleLines,
  withIssueStates,
} from './issue-approval.ts';
import { issueSeen, returnParts, type SeenParts, seenDrafts, submitParts } from './issue-requests.ts';
import { commitmentsInForce, type FundCommitment } from './ledgers.ts';
import { commitmentSql } from './notices.ts';
import { recordTransfers } from './record-transfers.ts';
import {
  byInvestor,
  copiedFrom,
  fundInUse,
  lockedFund,
  lockedFunds,
  ownCommitment,
  requireAmounts,
  splitOverInvestors,
} from './split-over-investors.ts';

export const NAVS = listOf('navs', commitmentSql('t.status'));

/** A value that was entered wrongly is corrected in place; its history keeps the earlier one. */
const COLLECTION: ChangeableCapital<Nav> = { listable: NAVS, write: 'funds/write', editable: ['Draft', 'Active'] };

/** A net asset value with its investor. */
export type NavView = Nav & { investor: InvestorName | null; secondPerson: IssueState | null };

const VIEWS = viewsOf(NAVS, [INVESTORS_OF_PAGE, ISSUES_OF_LINES], (navs, [investors, issues], session): NavView[] =>
  withIssueStates(session, withInvestors(navs, investors), issues),
);
export const listNavs = VIEWS.list;

/** The investors and days that have an issued NAV, with its id. */
class ValuedDays {
  readonly #ids = new Map<string, string>();

  static async of(session: Session, commitmentIds: readonly string[]): Promise<ValuedDays> {
    const days = new ValuedDays();
    const rows = await session.query<{ id: string; commitmentId: string; cutOffDate: string }>(
      `select id, commitment_id as "commitmentId", cut_off_date::text as "cutOffDate" from navs
       where commitment_id = any ($1) and status in ('Active', 'Closed')`,
      [[...commitmentIds]],
    );
    for (const row of rows) days.take(row);
    return days;
  }

  /** One issued value of an investor a day. @throws Refusal badRequest (flag on `cutOffDate`) */
  take({ id, commitmentId, cutOffDate }: Pick<Nav, 'id' | 'commitmentId' | 'cutOffDate'>): void {
    const key = `${commitmentId} ${cutOffDate}`;
    const other = this.#ids.get(key);
    if (other !== undefined && other !== id) {
      refuse(`This investor already has a NAV on ${formatCalendarDate(cutOffDate)}. Change or remove that one`, {
        cutOffDate: reason('navTaken'),
      });
    }
    this.#ids.set(key, id);
  }
}

/**
 * Records net asset values, all or none. With `onRefusal`, those that are refused are left out.
 * @param bodies as `navCreateSchema` returns them
 * @returns a NAV for each body; null for one that was left out
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags, naming the item
 */
export async function addNavs(
  session: Session,
  bodies: readonly NavCreate[],
  onRefusal?: OnRefusal,
): Promise<(Nav | null)[]> {
  requirePermission(session, 'funds/write');
  const funds = await lockedFunds(
    session,
    bodies.map(({ fund }) => fund),
  );
  const commitments = await commitmentsInForce(session, { fundIds: [...funds.keys()] });
  const ofInvestors = byInvestor(commitments);
  const valued = await ValuedDays.of(
    session,
    commitments.map(({ id }) => id),
  );
  const created = eachItem(
    bodies,
    (body) => {
      const fund = fundInUse(funds.get(body.fund), body.Class);
      let commitment: FundCommitment | undefined;
      checkAll(
        () =>
          requireAmounts(fund, {
            gross: { sum: body.gross, currency: body.currency },
            net: { sum: body.net, currency: body.currency },
          }),
        () => {
          commitment = ownCommitment(body, ofInvestors);
        },
      );
      const { status = 'Active', cutOffDate, gross, net } = body;
      const id = newId(session.now);
      if (status === 'Active') valued.take({ id, commitmentId: commitment!.id, cutOffDate });
      const metadata = createdFrom(session, body);
      return session.em.create(Nav, { id, ...copiedFrom(commitment!), status, cutOffDate, gross, net, metadata });
    },
    onRefusal,
  );
  await recordTransfers(
    session,
    created.flatMap((nav) => nav?.commitmentId ?? []),
  );
  warnOfFuture(
    session,
    'The NAV',
    created.filter((nav) => nav !== null),
  );
  await settleLines(session, NAVS, created);
  return created;
}

/** Records net asset values, all or none. @throws Refusal as `addNavs` */
export async function createNavs(session: Session, bodies: readonly NavCreate[]): Promise<NavView[]> {
  requirePermission(session, 'funds/write');
  await refuseSentTwice(session, { noun: 'NAV', flag: 'cutOffDate', sent: bodies });
  return VIEWS.all(
    session,
    (await addNavs(session, bodies)).filter((nav) => nav !== null),
  );
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
  const commitments = await session.query<{ id: string }>(
    'select distinct commitment_id as id from navs where id = any ($1)',
    [items.map(({ id }) => id)],
  );
  let valued: ValuedDays | null = null;
  const moved: Pick<Nav, 'id' | 'cutOffDate'>[] = [];
  const before = await activitiesOf(
    session,
    NAVS,
    items.map(({ id }) => id),
  );
  const { documents, changed } = await changeDocuments(session, COLLECTION, items, async (nav, item) => {
    requireAmounts(nav, {
      ...(item.gross === undefined ? {} : { gross: { sum: item.gross, currency: null } }),
      ...(item.net === undefined ? {} : { net: { sum: item.net, currency: null } }),
    });
    const { id, commitmentId, cutOffDate } = nav;
    if ((item.status ?? nav.status) !== 'Draft') {
      // Once the funds are locked, which `changeDocuments` does first.
      valued ??= await ValuedDays.of(
        session,
        commitments.map((commitment) => commitment.id),
      );
      valued.take({ id, commitmentId, cutOffDate: item.cutOffDate ?? cutOffDate });
    }
    // A day that stays was asked about when it was entered.
    if (item.cutOffDate && item.cutOffDate !== cutOffDate) moved.push({ id, cutOffDate: item.cutOffDate });
    return { cutOffDate: item.cutOffDate, gross: item.gross, net: item.net } as Partial<Nav>;
  });
  await recordTransfers(
    session,
    commitments.map(({ id }) => id),
  );
  warnOfFuture(session, 'The NAV', moved);
  await settleLines(session, NAVS, changed, before);
  return VIEWS.all(session, documents);
}

/** NAVs of a fund and a day are prepared and issued together. */
const ISSUED_NAVS = {
  table: 'navs',
  changes: COLLECTION,
  views: VIEWS.all,
  issue: (session: Session, items: NavChange[]) => changeNavs(session, items),
} as const;

/** Submits NAVs for issue by a second person, all or none. @throws Refusal as `submitParts` */
export const submitNavs = (session: Session, parts: SeenParts) => submitParts(session, ISSUED_NAVS, parts);

/** Returns submitted NAVs to who prepared them, all or none. @throws Refusal as `returnParts` */
export const returnNavs = (session: Session, parts: SeenParts, why: string) =>
  returnParts(session, ISSUED_NAVS, parts, why);

/** Issues the drafts of a fund and a day as they were seen. @throws Refusal as `issueSeen` */
export const issueNavs = (session: Session, command: HeaderCommand) => issueSeen(session, ISSUED_NAVS, command);

/** Removes NAVs (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeNavs(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  const removed = await removeDocuments(session, COLLECTION, command);
  await recordTransfers(
    session,
    removed.map(({ commitmentId }) => commitmentId),
  );
  await settleLines(session, NAVS, removed);
}

/** The NAVs that match the query's filter, added up by currency. */
export async function totalNavs(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; count: number; gross: DecimalText; net: DecimalText }[]> {
  const totals = await totalDocuments(session, NAVS, query, { gross: 't.gross', net: 't.net' });
  return totals.map(({ currency, count, sums }) => ({ currency, count, ...sums }));
}

/** The draft NAVs of a fund by day, with the version of what was prepared: steps name it as it was seen. */
export const navDrafts = (
  session: ReadSession,
  fundId: string,
): Promise<{ cutOffDate: string; version: number; count: number; gross: DecimalText; net: DecimalText }[]> =>
  session.query(
    `select t.cut_off_date::text as "cutOffDate", coalesce(min(p.version), 0) as version, count(*)::int as count,
       sum(t.gross)::text as gross, sum(t.net)::text as net
     from navs t left join preparations p on p.document_id = t.activity_id
     where t.fund_id = $1 and t.status = 'Draft' group by t.cut_off_date order by t.cut_off_date desc`,
    [fundId],
  );

/**
 * Issues or discards the draft NAVs of a fund and day as they were seen. Those that need a second person are issued in
 * Approvals.
 * @throws Refusal forbidden; notFound without drafts; badRequest as `seenDrafts` and `changeNavs`, and for an issue that
 *   needs a second person
 */
export async function settleNavDrafts(
  session: Session,
  {
    fundId,
    cutOffDate,
    version,
    step,
  }: { fundId: string; cutOffDate: string; version: number; step: 'issue' | 'discard' },
): Promise<void> {
  requirePermission(session, 'funds/write');
  const [found] = await session.query<{ id: string }>(
    `select activity_id as id from navs where fund_id = $1 and cut_off_date = $2 and status = 'Draft' limit 1`,
    [fundId, cutOffDate],
  );
  if (!found) throw new Refusal('notFound');
  const drafts = await seenDrafts(session, 'navs', { id: found.id, version });
  if (step === 'discard') return removeNavs(session, { ids: drafts.map(({ id }) => id) });
  if ((await issueStates(session, [found.id])).get(found.id)?.isNeeded) {
    refuse('These NAVs need a second person. They are submitted and issued in Approvals', {
      status: reason('secondPerson'),
    });
  }
  await changeNavs(
    session,
    drafts.map((draft) => ({ ...pick(draft, 'id', 'version'), status: 'Active' })),
  );
}
