import type { StoredEqualizationTerms } from '@tapeline/domain/closings/equalization-terms.schema.ts';
import type { Equalization, EqualizedLine, EqualizedPosition } from '@tapeline/domain/closings/equalize.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import { ACTIVITY_PERMISSIONS, seesActivity } from '../capital/activity.ts';
import type { InvestorName } from '../funds/funds.ts';
import { requirePermission } from '../permission.ts';

/** A line of the calculation as it is stored, with the place of its purpose in the call. */
export type ClosingLine = EqualizedLine & { readonly line: number };

/** One investor before and after a closing. */
export interface ClosingPosition extends EqualizedPosition {
  readonly isNew: boolean;
  readonly unfunded: { readonly before: DecimalText; readonly after: DecimalText };
}

/** What is stored of a closing. `positions` and parts of lines name commitments. */
export interface ClosingFigures extends Omit<Equalization, 'lines' | 'positions'> {
  readonly lines: readonly ClosingLine[];
  readonly positions: readonly ClosingPosition[];
  readonly isEqualized: boolean;
  /** Whether what is returned can be called again. */
  readonly isRecallable: boolean;
  readonly commitments: { readonly before: DecimalText; readonly after: DecimalText };
}

interface StoredClosing {
  readonly id: string;
  readonly fundId: string;
  readonly currency: string;
  readonly title: string;
  readonly closingDate: CalendarDate;
  readonly dueDate: CalendarDate;
  readonly firstClosing: CalendarDate | null;
  readonly callId: string | null;
  readonly distributionId: string | null;
  readonly callNumber: string | null;
  readonly distributionNumber: string | null;
  readonly callStatus: string | null;
  readonly distributionStatus: string | null;
  readonly terms: StoredEqualizationTerms;
  readonly figures: ClosingFigures;
}

/** The investor of a commitment of a closing. */
export interface ClosingInvestor {
  readonly investorKind: 'fund' | 'LP';
  readonly investorLPId: string | null;
  readonly investorFundId: string | null;
  readonly Class: string | null;
  readonly investor: InvestorName;
}

/** A closing with the names of its investors, by commitment. */
export interface ClosingView extends StoredClosing {
  readonly investors: ReadonlyMap<string, ClosingInvestor>;
  /** The status of its call, or of its distribution if it has none. */
  readonly status: string | null;
  /** Of a dry run. */
  readonly warnings?: readonly string[];
  /** Of a dry run: what was checked and holds. */
  readonly passed?: readonly string[];
  /** Whether the actor cannot issue the notices: the firm requires a second person. */
  readonly needsSecondPerson?: boolean;
}

export const CLOSING_COLUMNS = `
  select k.id, k.fund_id as "fundId", k.currency, k.title, k.closing_date::text as "closingDate", k.due_date::text as "dueDate",
    k.first_closing::text as "firstClosing", k.call_id as "callId", k.distribution_id as "distributionId",
    h.number as "callNumber", d.number as "distributionNumber", h.status as "callStatus", d.status as "distributionStatus",
    k.terms, k.figures
  from closings k left join capital_calls h on h.id = k.call_id left join distribution_events d on d.id = k.distribution_id`;

const INVESTORS = `
  select c.id, c.investor_kind as "investorKind", c.investor_lp_id as "investorLPId", c.investor_fund_id as "investorFundId",
    c.class as "Class", coalesce(l.id, f.id) as investor, coalesce(l.title, f.title) as title,
    coalesce(l.name, f.name) as "formalName", coalesce(l.code, f.code) as code
  from lp_commitments c left join lps l on l.id = c.investor_lp_id left join funds f on f.id = c.investor_fund_id
  where c.id = any ($1)`;

interface InvestorRow extends Omit<ClosingInvestor, 'investor'> {
  readonly id: string;
  readonly title: string;
  readonly formalName: string;
  readonly code: number;
}

async function withNames(session: ReadSession, closings: readonly StoredClosing[]): Promise<ClosingView[]> {
  const ids = closings.flatMap(({ figures }) => figures.positions.map(({ id }) => id));
  const rows = await session.query<InvestorRow>(INVESTORS, [[...new Set(ids)]]);
  const investors = new Map(
    rows.map(({ id, title, formalName, code, ...commitment }) => [
      id,
      { ...commitment, investor: { title, formalName, code } as InvestorName },
    ]),
  );
  return closings.map((closing) => ({
    ...closing,
    investors,
    status: closing.callStatus ?? closing.distributionStatus,
  }));
}

/** The closings of a fund that the actor can see, the latest first. */
export async function closingsOfFund(session: ReadSession, fundId: string): Promise<ClosingView[]> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  if (!isId(fundId)) throw new Refusal('notFound');
  const sql = `${CLOSING_COLUMNS} where k.fund_id = $1 order by k.closing_date desc, k.id desc`;
  return withNames(session, await session.query<StoredClosing>(sql, [fundId]));
}

/** @throws Refusal notFound; forbidden without `ACTIVITY_PERMISSIONS`: its figures are of calls and distributions */
export async function getClosing(session: ReadSession, id: string): Promise<ClosingView> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  const found = isId(id) ? await session.query<StoredClosing>(`${CLOSING_COLUMNS} where k.id = $1`, [id]) : [];
  const [closing] = await withNames(session, found);
  if (!closing) throw new Refusal('notFound');
  return closing;
}

/** The closing that a call or distribution belongs to, if the actor may open it. @param id of a call or distribution */
export async function closingOfHeader(session: ReadSession, id: string): Promise<{ id: string; title: string } | null> {
  if (!seesActivity(session.actor)) return null;
  const sql = 'select id, title from closings where call_id = $1 or distribution_id = $1';
  const [closing = null] = await session.query<{ id: string; title: string }>(sql, [id]);
  return closing;
}
