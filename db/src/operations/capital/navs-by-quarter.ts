import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** A net asset value of a commitment in a quarter. */
export interface QuarterNav {
  readonly id: string;
  readonly status: string;
  readonly cutOffDate: CalendarDate;
  readonly gross: DecimalText;
  readonly net: DecimalText;
}

/** The NAVs of one commitment, by quarter. */
export interface CommitmentNavs {
  /** The id of the commitment. */
  readonly id: string;
  /** Null if the actor cannot see the investor. */
  readonly investor: string | null;
  readonly fundId: string;
  /** Null if the actor cannot see the fund. */
  readonly fund: string | null;
  readonly currency: string;
  readonly Class: string | null;
  /** Those of each quarter that was asked for, the latest day first; none where there is no NAV. */
  readonly quarters: readonly (readonly QuarterNav[])[];
}

export interface NavsByQuarter {
  /** The last days of the quarters that have a NAV, the latest first. */
  readonly quarters: readonly CalendarDate[];
  readonly totalQuarters: number;
  readonly rows: readonly CommitmentNavs[];
  /** Commitments with a NAV in any quarter. */
  readonly total: number;
}

const QUARTER_END = `(date_trunc('quarter', cut_off_date) + interval '3 months - 1 day')::date`;

/** Whose NAVs are read: those of a fund, or of an investor in all of its funds. */
export type NavsOf = { readonly fund: string } | { readonly investor: string };

/**
 * The visible NAVs of a fund or an investor, drafts among them: commitments by the name of their investor and fund, and
 * quarters from the latest one back.
 * @param page which commitments, and which quarters
 */
export async function navsByQuarter(
  session: ReadSession,
  of: NavsOf,
  page: { skip: number; limit: number; skipQuarters: number; limitQuarters: number },
): Promise<NavsByQuarter> {
  const [id, those] =
    'fund' in of
      ? [of.fund, `fund_id = $1 and status <> 'Removed'`]
      : [of.investor, `(investor_lp_id = $1 or investor_fund_id = $1) and status <> 'Removed'`];
  const [totals] = await session.query<Pick<NavsByQuarter, 'total' | 'totalQuarters'>>(
    `select count(distinct commitment_id)::int as total, count(distinct ${QUARTER_END})::int as "totalQuarters"
     from navs where ${those}`,
    [id],
  );
  const quarters = await session.query<{ end: CalendarDate }>(
    `select distinct ${QUARTER_END}::text as "end" from navs where ${those}
     order by 1 desc offset $2 limit $3`,
    [id, page.skipQuarters, page.limitQuarters],
  );
  const rows = await session.query<Omit<CommitmentNavs, 'quarters'>>(
    `select n.commitment_id as id, coalesce(l.title, f.title) as investor, n.class as "Class", n.fund_id as "fundId", o.title as fund,
       n.currency
     from (select distinct commitment_id, class, fund_id, currency, investor_lp_id, investor_fund_id from navs where ${those}) n
     left join lps l on l.id = n.investor_lp_id left join funds f on f.id = n.investor_fund_id left join funds o on o.id = n.fund_id
     order by lower(coalesce(l.title, f.title)), lower(o.title), n.class, n.commitment_id offset $2 limit $3`,
    [id, page.skip, page.limit],
  );
  const ends = quarters.map(({ end }) => end);
  const navs = await session.query<QuarterNav & { commitment: string; end: CalendarDate }>(
    `select id, status, commitment_id as commitment, cut_off_date::text as "cutOffDate", gross::text, net::text,
       ${QUARTER_END}::text as "end"
     from navs where ${those} and commitment_id = any ($2) and ${QUARTER_END} = any ($3::date[])
     order by cut_off_date desc, id desc`,
    [id, rows.map(({ id }) => id), ends],
  );
  const byCell = Map.groupBy(navs, ({ commitment, end }) => `${commitment} ${end}`);
  return {
    ...(totals ?? { total: 0, totalQuarters: 0 }),
    quarters: ends,
    rows: rows.map((row) => ({
      ...row,
      quarters: ends.map((end) =>
        (byCell.get(`${row.id} ${end}`) ?? []).map(({ commitment: _of, end: _end, ...nav }) => nav),
      ),
    })),
  };
}
