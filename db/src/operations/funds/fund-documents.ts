import type { ReadSession } from '../../read-session.ts';

/** A file of a fund: a report, a statement or a notice. */
export interface FundDocument {
  /** The file's id, for downloading it. */
  id: string;
  name: string;
  size: number;
  kind: 'report' | 'statement' | 'call' | 'distribution';
  cutOffDate: string;
  status: string;
  /** Whom a statement or a notice is for. */
  investor: string | null;
  /** An instant, as the database writes it. */
  createdAt: string;
}

const KINDS = `
  select 'report' as kind, file_id, cut_off_date, status, null as lp, null as fund from reports
    where status <> 'Removed' and (fund_id = $1 or main_fund_id = $2)
  union all
  select 'statement', file_id, cut_off_date, status, investor_lp_id, investor_fund_id from capital_accounts
    where status <> 'Removed' and (fund_id = $1 or main_fund_id = $2)
  union all
  select 'call', file_id, cut_off_date, status, investor_lp_id, investor_fund_id from contributions
    where status <> 'Removed' and fund_id = $1
  union all
  select 'distribution', file_id, cut_off_date, status, investor_lp_id, investor_fund_id from distributions
    where status <> 'Removed' and fund_id = $1`;

/** A page of the visible files of a fund and its main fund, the latest first. */
export async function listFundDocuments(
  session: ReadSession,
  { fundId, mainFundId }: { fundId: string; mainFundId: string | null },
  page: { skip: number; limit: number },
): Promise<{ documents: FundDocument[]; total: number }> {
  const found = `from (${KINDS}) d join files f on f.id = d.file_id and f.status = 'Active'`;
  const of = [fundId, mainFundId];
  const [[counted], documents] = [
    await session.query<{ total: number }>(`select count(*)::int as total ${found}`, of),
    await session.query<FundDocument>(
      `select f.id, f.name, f.size::float8 as size, d.kind, d.cut_off_date::text as "cutOffDate", d.status,
         coalesce(l.title, i.title) as investor, f.created_at as "createdAt"
       ${found} left join lps l on l.id = d.lp left join funds i on i.id = d.fund
       order by d.cut_off_date desc, f.created_at desc, f.id offset $3 limit $4`,
      [...of, page.skip, page.limit],
    ),
  ];
  return { documents, total: counted?.total ?? 0 };
}
