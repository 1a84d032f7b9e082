import { calledNotDue, type Multiples, multiples, returnOf } from '@tapeline/domain/capital/capital-figures.ts';
import { type WireDetails, wireDetailsOf } from '@tapeline/domain/capital/notice-parts.ts';
import { obligationReference } from '@tapeline/domain/capital/payment-reference.ts';
import type { Bank } from '@tapeline/domain/entities/bank.schema.ts';
import { maskBanks } from '@tapeline/domain/entities/masking.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { type ShownReturn, shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import type { ReadSession } from '../../read-session.ts';
import { todayOf } from '../../today.ts';
import { type Position, positionsAt } from './figures.ts';
import { ledgersOf } from './ledgers.ts';

/** One commitment with its figures as of a day. */
export interface OwnPosition extends Position, Multiples {
  /** Called and not due yet. */
  readonly toPay: DecimalText;
  readonly netIrr: ShownReturn;
  /** The name of its class. */
  readonly className: string | null;
}

/**
 * The visible commitments with their figures and returns as of a day, by fund, and how many there are.
 * @param query.investorId of this investor; of all visible ones if omitted
 */
export async function ownPositions(
  session: ReadSession,
  { cutOffDate, investorId, limit }: { cutOffDate?: string | undefined; investorId?: string; limit: number },
): Promise<{ positions: OwnPosition[]; total: number }> {
  const at = cutOffDate ?? todayOf(session);
  const all = [...(await positionsAt(session, { cutOffDate: at, investorId }))].sort(
    (a, b) => a.fundTitle.localeCompare(b.fundTitle, 'en') || (a.commitmentId < b.commitmentId ? -1 : 1),
  );
  const shown = all.slice(0, limit);
  const ledgers = await ledgersOf(
    session,
    shown.map(({ commitmentId }) => commitmentId),
  );
  const classes = await session.query<{ fundId: string; key: string; name: string }>(
    `select f.id as "fundId", class ->> 'uniqueKey' as key, class ->> 'name' as name
     from funds f, jsonb_array_elements(f.classes) as class where f.id = any ($1)`,
    [[...new Set(shown.map(({ fundId }) => fundId))]],
  );
  const classNames = new Map(classes.map(({ fundId, key, name }) => [`${fundId}/${key}`, name]));
  const positions = shown.map((position): OwnPosition => {
    const ledger = ledgers.get(position.commitmentId);
    const first = ledger?.calls.map(({ dueDate, paidOn = dueDate }) => paidOn).sort()[0];
    return {
      ...position,
      ...multiples(position),
      toPay: calledNotDue(position),
      className: classNames.get(`${position.fundId}/${position.Class}`) ?? classNameOf([], position.Class),
      netIrr: shownReturn(returnOf(ledger ? [ledger] : [], at, 'net'), first, at),
    };
  });
  return { positions, total: all.length };
}

/** Where and how the investor of a call pays. */
export interface PaymentDetails {
  readonly id: string;
  readonly reference: string;
  /** Null if the fund has no bank account. */
  readonly wire: WireDetails | null;
}

/**
 * The payment details of issued calls, by the id of the contribution: the first account of the fund, as its notice states
 * it. Whoever is not called, and may not change entities, sees it masked.
 * @param options.isForInvestors for texts that only the investors of the calls read
 */
export async function paymentDetailsOf(
  session: ReadSession,
  contributionIds: readonly string[],
  { isForInvestors = false }: { isForInvestors?: boolean } = {},
): Promise<ReadonlyMap<string, PaymentDetails>> {
  const { actor } = session;
  const rows = await session.query<{
    id: string;
    callNumber: string;
    investorLPId: string | null;
    code: number | null;
    bank: Bank | null;
    issuedTitle: string;
    fundCode: number;
    legalName: string;
    classPlace: number | null;
  }>(
    `select c.id, c.call_number as "callNumber", c.investor_lp_id as "investorLPId", coalesce(l.code, i.code) as code,
       e.banks -> 0 as bank, coalesce(h.issued_title, f.title) as "issuedTitle", f.code as "fundCode",
       coalesce(nullif(e.business ->> 'formalName', ''), e.name, f.title) as "legalName",
       (f.class_places ->> c.class)::int as "classPlace"
     from contributions c join funds f on f.id = c.fund_id left join capital_calls h on h.id = c.activity_id left join entities e on e.id = f.entity_id
       left join lps l on l.id = c.investor_lp_id left join funds i on i.id = c.investor_fund_id
     where c.id = any ($1) and c.status in ('Active', 'Closed')`,
    [[...contributionIds]],
  );
  return new Map(
    rows.map(
      ({ id, callNumber, investorLPId, code, bank, issuedTitle, fundCode, legalName, classPlace: classIndex }) => {
        const isCalled = actor.kind === 'user' && investorLPId !== null && actor.lpIds.includes(investorLPId);
        const [shown] = bank
          ? isForInvestors || isCalled || can(actor, 'entities/write')
            ? [bank]
            : maskBanks([bank])
          : [];
        return [
          id,
          {
            id,
            reference: obligationReference({
              kind: 'contribution',
              source: { title: issuedTitle, code: fundCode },
              number: callNumber,
              party: { kind: investorLPId ? 'LP' : 'fund', code: code ?? 0 },
              classPlace: classIndex,
            }),
            wire: shown ? wireDetailsOf(shown, legalName) : null,
          },
        ];
      },
    ),
  );
}

/** A stored document of a fund for its investors. */
export interface InvestorDocument {
  readonly fileId: string;
  readonly kind: 'call' | 'distribution' | 'statement' | 'report';
  /** The number of a call or distribution. */
  readonly number: string | null;
  readonly party: string | null;
  /** Whose it is; null for a report, which is for all investors of the fund. */
  readonly investor: string | null;
  readonly cutOffDate: string;
  /** The day it was issued, or else that its file was stored. */
  readonly publishedAt: string;
  /** When the actor first opened or downloaded it; null if never. */
  readonly readAt: string | null;
}

/**
 * The visible notices, statements and reports that have a file, unread ones first and then the latest, how many there
 * are, and how many of them the actor has not read.
 */
export async function latestInvestorDocuments(
  session: ReadSession,
  { limit }: { limit: number },
): Promise<{ documents: InvestorDocument[]; total: number; unread: number }> {
  const rows = await session.query<InvestorDocument & { total: number; unread: number }>(
    `select d.file_id as "fileId", d.kind, d.number, coalesce(f.title, m.title) as party, l.title as investor, d.day::text as "cutOffDate",
       coalesce(d.issued_on, (s.created_at at time zone 'UTC')::date)::text as "publishedAt",
       to_json(a.first_read_at) #>> '{}' as "readAt", count(*) over ()::int as total,
       count(*) filter (where a.id is null) over ()::int as unread
     from (
       select 'contributions' as resource, id, file_id, 'call' as kind, call_number as number, fund_id, null::text as main_fund_id, cut_off_date as day, status,
         issued_on, investor_lp_id from contributions
       union all select 'distributions', id, file_id, 'distribution', call_number, fund_id, null, cut_off_date, status, issued_on,
         investor_lp_id from distributions
       union all select 'capitalAccounts', id, file_id, 'statement', null, fund_id, main_fund_id, cut_off_date, status, null,
         investor_lp_id from capital_accounts
       union all select 'reports', id, file_id, 'report', null, fund_id, main_fund_id, cut_off_date, status, null,
         null from reports
     ) as d join files s on s.id = d.file_id and s.status = 'Active'
       left join funds f on f.id = d.fund_id left join main_funds m on m.id = d.main_fund_id left join lps l on l.id = d.investor_lp_id
       left join activities a on a.user_id = (select actor_user()) and a.resource = d.resource and a.document_id = d.id
     where d.status in ('Active', 'Closed') order by a.id is null desc, "publishedAt" desc, d.day desc, d.file_id limit $1`,
    [limit],
    { kept: true },
  );
  const [{ total = 0, unread = 0 } = {}] = rows;
  return { documents: rows.map(({ total: _, unread: __, ...document }) => document), total, unread };
}
