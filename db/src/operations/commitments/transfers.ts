import type { InvestorReference } from '@tapeline/domain/commitments/investor.schema.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import type { InvestorName } from '../funds/funds.ts';
import { requirePermission } from '../permission.ts';

/** One side of a transfer that was made. */
interface TransferHolder {
  readonly commitmentId: string;
  readonly investorKind: InvestorReference['kind'];
  readonly investorLPId: string | null;
  readonly investorFundId: string | null;
  readonly investor: InvestorName | null;
}

/** A transfer between two investors of a fund. */
export interface TransferView {
  readonly id: string;
  readonly fundId: string;
  readonly Class: string | null;
  readonly currency: string;
  readonly date: CalendarDate;
  /** What is committed with it. */
  readonly amount: DecimalText;
  /** Of the interest; null if only unfunded commitment was transferred. */
  readonly sharePercent: DecimalText | null;
  readonly price: DecimalText | null;
  readonly documentId: string | null;
  readonly from: TransferHolder;
  readonly to: TransferHolder;
}

const holder = (commitment: string): string => `(
  select json_build_object('commitmentId', c.id, 'investorKind', c.investor_kind, 'investorLPId', c.investor_lp_id,
    'investorFundId', c.investor_fund_id, 'investor', case when coalesce(l.id, f.id) is not null then json_build_object(
      'title', coalesce(l.title, f.title), 'formalName', coalesce(l.name, f.name), 'code', coalesce(l.code, f.code)) end)
  from lp_commitments c left join lps l on l.id = c.investor_lp_id left join funds f on f.id = c.investor_fund_id
  where c.id = ${commitment})`;

const TRANSFERS = `
  select t.id, t.fund_id as "fundId", t.class as "Class", t.currency, t.date::text as date, t.amount::text as amount,
    t.share_percent::text as "sharePercent", t.price::text as price, t.document_id as "documentId",
    ${holder('t.commitment_id')} as "from", ${holder('t.to_commitment_id')} as "to"
  from transfers t`;

/** The transfers of a fund that the actor can see, the latest first. @throws Refusal forbidden; notFound for no id */
export async function transfersOfFund(session: ReadSession, fundId: string): Promise<TransferView[]> {
  requirePermission(session, 'LPs/commitments/read');
  if (!isId(fundId)) throw new Refusal('notFound');
  return session.query<TransferView>(`${TRANSFERS} where t.fund_id = $1 order by t.date desc, t.id desc`, [fundId]);
}

/** The documents of transfers of a commitment that the actor can see, by transfer. */
export async function transferDocuments(session: ReadSession, commitmentId: string): Promise<Map<string, string>> {
  const rows = await session.query<{ id: string; document: string }>(
    `select id, document_id as document from transfers
     where document_id is not null and (commitment_id = $1 or to_commitment_id = $1)`,
    [commitmentId],
  );
  return new Map(rows.map(({ id, document }) => [id, document]));
}

/** @throws Refusal forbidden; notFound */
export async function getTransfer(session: ReadSession, id: string): Promise<TransferView> {
  requirePermission(session, 'LPs/commitments/read');
  const found = isId(id) ? await session.query<TransferView>(`${TRANSFERS} where t.id = $1`, [id]) : [];
  if (!found[0]) throw new Refusal('notFound');
  return found[0];
}
