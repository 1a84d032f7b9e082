import {
  type ChargedInterest,
  type DefaultInterest,
  type DefaultInterestTerms,
  defaultInterest,
} from '@tapeline/domain/cash/default-interest.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { refuse } from '@tapeline/domain/errors/refusal.ts';
import { DEFAULT_INTEREST_DAY_COUNT } from '@tapeline/domain/facilities/terms-labels.ts';
import { agreedTerms } from '@tapeline/domain/funds/fee-terms.ts';
import { compare, type DecimalText, decimalOf, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { seesReaders } from '../activities/activities.ts';
import type { HeaderCommand } from '../capital/change-headers.ts';
import { type ContributionView, ofWholeCalls, setChargedInterest } from '../capital/contributions.ts';
import type { SeenParts } from '../capital/issue-requests.ts';
import { agreementsOf } from '../funds/fee-terms.ts';

/** Default interest on one call of an investor, and what later calls ask of it. */
export interface LateCall extends DefaultInterest {
  readonly documentId: string;
  readonly commitmentId: string;
  readonly party: string | null;
  readonly callNumber: string;
  readonly dueDate: CalendarDate;
  readonly currency: string;
  readonly terms: DefaultInterestTerms;
  /** The calls that ask for it, also drafts. */
  readonly charged: readonly {
    readonly activityId: string;
    readonly callNumber: string;
    readonly isDraft: boolean;
    readonly until: CalendarDate;
    readonly amount: DecimalText;
  }[];
  /** What no call asks for yet; nothing if less is due than was charged. */
  readonly rest: DecimalText;
}

interface Read extends Omit<LateCall, 'pieces' | 'total' | 'terms' | 'rest'> {
  readonly amount: DecimalText;
  readonly reduced: { on: CalendarDate; amount: DecimalText }[];
}

/** What default interest is asked of. */
export interface LateQuery {
  readonly documents?: readonly string[];
  readonly activity?: string;
  /** The draft call whose investors it is of. */
  readonly draft?: string;
  /** The investor, or the fund that invests. */
  readonly party?: string;
}

/**
 * What was paid late or is overdue, with its payments on their value dates. What was due before an account for it was open is
 * left out, because it may have been paid in time.
 */
const LATE = `
  select o.document_id as "documentId", c.commitment_id as "commitmentId", coalesce(l.title, f.title) as party,
    o.number as "callNumber", o.due_date::text as "dueDate", o.currency, o.amount::text,
    coalesce((select jsonb_agg(jsonb_build_object('on', r.day, 'amount', r.amount::text)) from (
        select a.paid_on::text as day, a.amount from allocations a
          where a.document_id = o.document_id and a.currency = o.currency and a.reversed_at is null
        union all
        select (d.created_at at time zone 'UTC')::date::text, d.amount from obligation_differences d
          where d.document_id = o.document_id and d.currency = o.currency and d.reversed_at is null) as r), '[]') as reduced,
    coalesce((select jsonb_agg(jsonb_build_object('activityId', x.activity_id, 'callNumber', x.call_number,
          'isDraft', x.status = 'Draft', 'until', entry ->> 'until', 'amount', entry ->> 'amount') order by entry ->> 'until')
      from contributions x cross join lateral jsonb_array_elements(x.default_interest) as entry
      where x.status <> 'Removed' and x.default_interest @> jsonb_build_array(jsonb_build_object('document', o.document_id::text))
        and entry ->> 'document' = o.document_id), '[]') as charged
  from obligations o join contributions c on c.id = o.document_id
    left join lps l on l.id = o.investor_lp_id left join funds f on f.id = o.investor_fund_id
  where o.kind = 'contribution' and o.is_tracked and o.due_date < $1
    and (c.status = 'Active' or o.allocated + o.difference >= o.amount)
    and (o.open > 0 or o.paid_on > o.due_date or o.difference > 0)
    and ($2::text[] is null or o.document_id = any ($2)) and ($3::text is null or c.commitment_id in (select d.commitment_id from contributions d where d.activity_id = $3 and d.status = 'Draft'))
    and ($4::text is null or o.activity_id = $4) and ($5::text is null or $5 in (o.investor_lp_id, o.investor_fund_id))
  order by o.due_date, o.document_id`;

/**
 * Default interest up to today on calls that the actor can see, by the terms of their due dates. Nothing where no terms are
 * agreed, and nothing for investors.
 */
export async function defaultInterestOf(session: ReadSession, query: LateQuery): Promise<LateCall[]> {
  if (!seesReaders(session)) return [];
  const until = todayOf(session);
  const late = await session.query<Read>(LATE, [
    until,
    query.documents ?? null,
    query.draft ?? null,
    query.activity ?? null,
    query.party ?? null,
  ]);
  const agreements = await agreementsOf(session, [...new Set(late.map(({ commitmentId }) => commitmentId))]);
  return late.flatMap(({ amount, reduced, ...call }): LateCall[] => {
    const { dueDate, currency, charged } = call;
    const agreed = agreements.get(call.commitmentId);
    const { rate, graceDays, dayCount } = (agreed && agreedTerms(agreed).on(dueDate).defaultInterest) ?? {};
    if (!rate) return [];
    const terms = {
      ratePercent: decimalOf(rate),
      graceDays: graceDays ?? 0,
      dayCount: dayCount ?? DEFAULT_INTEREST_DAY_COUNT,
    };
    const found = defaultInterest({ amount, dueDate, reduced }, terms, { until, digits: minorUnitDigits(currency) });
    const rest = subtract(found.total, sum(charged.map((one) => one.amount)));
    if (found.pieces.length === 0 && charged.length === 0) return [];
    return [{ ...call, ...found, terms, rest: compare(rest, '0') > 0 ? rest : '0' }];
  });
}

/**
 * Adds to a draft call, for each of its investors, the default interest on its overdue calls that no call asks for yet. It
 * comes on top of the amounts, as interest of the first purpose.
 * @throws Refusal as `setChargedInterest`; badRequest if there is none
 */
export async function addDefaultInterest(session: Session, header: HeaderCommand): Promise<void> {
  const until = todayOf(session);
  let added = false;
  await setChargedInterest(session, header, async () => {
    const late = await defaultInterestOf(session, { draft: header.id });
    const charges = Map.groupBy(
      late.filter(({ rest }) => !isZero(rest)),
      ({ commitmentId }) => commitmentId,
    );
    added = charges.size > 0;
    return (commitmentId): ChargedInterest[] =>
      (charges.get(commitmentId) ?? []).map(({ documentId: document, callNumber, rest: amount }) => ({
        document,
        callNumber,
        until,
        amount,
      }));
  });
  if (!added) refuse('No default interest is left to charge to the investors of this call', { id: 'has none' });
}

/** Takes the default interest out of a draft call, so that another can ask for it. @throws Refusal as `setChargedInterest` */
export const removeDefaultInterest = (session: Session, header: HeaderCommand): Promise<void> =>
  setChargedInterest(session, header, async () => () => []);

/** Adds to draft calls what their investors owe, as `addDefaultInterest`: named by the documents of all investors. */
export const addDefaultInterestToParts = (session: Session, parts: SeenParts): Promise<ContributionView[]> =>
  ofWholeCalls(session, parts, (call) => addDefaultInterest(session, call));

/** Takes it out again, as `removeDefaultInterest`. */
export const removeDefaultInterestOfParts = (session: Session, parts: SeenParts): Promise<ContributionView[]> =>
  ofWholeCalls(session, parts, (call) => removeDefaultInterest(session, call));
