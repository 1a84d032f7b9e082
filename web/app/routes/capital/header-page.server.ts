import { type CallHeader, linesOfHeader } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import type { LineTable } from '@tapeline/db/operations/capital/headers.ts';
import { issueStates, jointState } from '@tapeline/db/operations/capital/issue-approval.ts';
import { otherTable } from '@tapeline/db/operations/capital/netted-lines.ts';
import { type Netting, nettableWith, nettingOf } from '@tapeline/db/operations/capital/netting.ts';
import { closingOfHeader } from '@tapeline/db/operations/closings/closings.ts';
import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../commands/history.server.ts';
import { skipOf } from '../../components/page/skip.ts';
import { readScreen } from '../../http/screen.server.ts';
import { fundOfHeader } from './funds-of-headers.server.ts';
import { HISTORY_PARAMETER, LINES_PER_PAGE } from './header-page.tsx';
import { orWithdrawn, shownDeliveries, withReview } from './told.server.ts';

type Header = Omit<CallHeader, 'dueDate'>;

interface Read<Own extends Header, View, Share, More> {
  readonly table: LineTable;
  readonly get: (session: Session, id: string) => Promise<Own>;
  readonly list: (session: Session, query: object) => Promise<Page<View>>;
  /** The field by which the lines are sorted, the largest first. */
  readonly largest: string;
  readonly shareOf: (view: View) => Share;
  /** What a draft warns of before it is issued. */
  readonly warnings: (session: Session, header: Own, views: readonly View[]) => Promise<string[]>;
  /** What only such a page shows. */
  readonly more: (session: Session, header: Own, views: readonly View[]) => Promise<More>;
  readonly step: Parameters<typeof withReview>[3];
}

/** Whether money moves for a line: a distribution that a call of its day uses up is paid to nobody. */
const isSettled = (table: LineTable, netting: Netting | null) => {
  const nothing = new Set(
    netting?.lines.flatMap(({ distributionId, receives }) => (isZero(receives) ? (distributionId ?? []) : [])),
  );
  return ({ id }: { id: string }): boolean => table === 'contributions' || !nothing.has(id);
};

/** The emails about its lines, and about those that it is netted with, because each tells of both. */
async function deliveriesOfPage(
  session: Session,
  table: LineTable,
  shares: Parameters<typeof shownDeliveries>[2],
  netting: Netting | null,
) {
  const own = await shownDeliveries(session, table, shares);
  if (!netting) return own;
  const parts = netting.lines.flatMap(({ contributionId, distributionId, investor }) => {
    const id = table === 'contributions' ? distributionId : contributionId;
    return id ? [{ id, investor }] : [];
  });
  const partner = await shownDeliveries(session, otherTable(table), parts);
  return {
    rows: [...own.rows, ...partner.rows],
    total: own.total + partner.total,
    failed: own.failed + partner.failed,
    told: own.told + partner.told,
  };
}

/** Who prepared a draft and what it is netted with, and whether somebody else must issue them. */
async function secondPersonOf(session: Session, table: LineTable, id: string, netting: Netting | null) {
  const other = netting && (table === 'contributions' ? netting.distribution.id : netting.call.id);
  const states = await issueStates(session, other ? [id, other] : [id]);
  const own = states.get(id);
  const secondPerson = jointState(other ? [own, states.get(other)] : [own]);
  return { secondPerson, isOfOther: secondPerson !== null && secondPerson !== own };
}

/** The loader of the page of a call or distribution. */
export const readHeaderPage = <
  Own extends Header,
  View extends { id: string; trailingDescription?: string | null | undefined },
  Share extends { id: string; investor: string | null },
  More extends object,
>({
  table,
  get,
  list,
  largest,
  shareOf,
  warnings,
  more,
  step,
}: Read<Own, View, Share, More>) =>
  readScreen(`${table}/read`, async (screen) => {
    const { db, params, url, actor } = screen;
    const mayWrite = can(actor, `${table}/write`);
    const page = await db((session) =>
      orWithdrawn(session, table, params.id ?? '', async () => {
        const header = await get(session, params.id ?? '');
        const { documents, total } = await list(session, {
          filter: linesOfHeader(header.id),
          sort: { [largest]: -1 },
          skip: skipOf(url.searchParams),
          limit: LINES_PER_PAGE,
        });
        const fund = await fundOfHeader(session, header.fundId);
        const shares = documents.map(shareOf);
        const ids = documents.map(({ id }) => id);
        const netting = await nettingOf(session, table, header.id);
        return {
          ...header,
          fundTitle: fund?.title ?? null,
          closing: await closingOfHeader(session, header.id),
          className: classNameOf(fund?.classes ?? [], header.Class),
          total,
          shares,
          netting,
          nettable: header.drafts > 0 && mayWrite && !netting ? await nettableWith(session, table, header.id) : [],
          deliveries: await deliveriesOfPage(session, table, shares, netting),
          warnings:
            header.drafts > 0 && mayWrite
              ? await warnings(session, header, documents.filter(isSettled(table, netting)))
              : [],
          ...(header.drafts > 0 && mayWrite
            ? await secondPersonOf(session, table, header.id, netting)
            : { secondPerson: null, isOfOther: false }),
          description: documents[0]?.trailingDescription ?? null,
          history: await documentHistory(session, [{ resource: table, ids }], url.searchParams, HISTORY_PARAMETER),
          isInvestor: actor.lpIds.length > 0,
          mayWrite,
          ...(await more(session, header, documents)),
        };
      }),
    );
    return withReview(screen, table, page, step);
  });
