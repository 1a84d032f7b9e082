import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import type { HeaderCommand } from './change-headers.ts';
import { type IssuedTable, type IssueState, issueStates } from './issue-approval.ts';
import { HIDDEN_INVESTOR } from './ledgers.ts';
import { issueNavs } from './navs.ts';
import { issueCapitalAccounts } from './statements.ts';
import { issueWriteOffs } from './write-offs.ts';

/** The tables of what has no header. */
export type SetTable = Exclude<IssuedTable, 'contributions' | 'distributions'>;

/** What each line of a set says, and how its total is called. */
const FIGURES: Readonly<Record<SetTable, { amount: string; gross: string; earlier: string; file: string }>> = {
  write_offs: { amount: 't.amount', gross: 'null', earlier: 'null', file: 'null' },
  navs: {
    amount: 't.net',
    gross: 't.gross',
    earlier: `(select e.net from navs e where e.commitment_id = t.commitment_id and e.cut_off_date < t.cut_off_date
      and e.status in ('Active', 'Closed') order by e.cut_off_date desc limit 1)`,
    file: 'null',
  },
  capital_accounts: {
    amount: `(t.statement #>> '{periods,sinceInception,lines,closing}')::numeric`,
    gross: 'null',
    earlier: 'null',
    file: 't.file_id',
  },
};

/** Most lines of a set that are named one by one. */
const MAX_LINES = 8;

/** What somebody checks before a set is issued. */
export interface SetReview {
  readonly version: number;
  readonly fundTitle: string | null;
  readonly cutOffDate: string;
  readonly currency: string;
  /** Of those that are not removed. */
  readonly count: number;
  readonly drafts: number;
  /** What is written off, or the net asset value. Null where a line has none. */
  readonly amount: DecimalText | null;
  /** Of NAVs: the gross value, and the latest net value of the same investors before; null if an investor has none. */
  readonly gross: DecimalText | null;
  readonly earlier: DecimalText | null;
  /** Of the drafts. */
  readonly ids: readonly string[];
  /** The first ones, by name. */
  readonly lines: readonly {
    readonly id: string;
    readonly investor: string;
    readonly amount: DecimalText | null;
    readonly earlier: DecimalText | null;
    readonly fileId: string | null;
  }[];
}

/** What was prepared together, as far as the actor sees it. @throws Refusal notFound */
export async function reviewSet(session: ReadSession, table: SetTable, id: string): Promise<SetReview> {
  const { amount, gross, earlier, file } = FIGURES[table];
  const mainFund = table === 'capital_accounts' ? 't.main_fund_id' : 'null';
  const [found] = await session.query<SetReview>(
    `with line as (
       select t.id, coalesce(l.title, i.title, $2) as investor, ${amount} as amount, ${gross}::numeric as gross, ${earlier}::numeric as earlier,
         ${file}::text as file, t.status, t.currency, t.cut_off_date, coalesce(f.title, m.title) as title
       from ${table} t left join lps l on l.id = t.investor_lp_id left join funds i on i.id = t.investor_fund_id
         left join funds f on f.id = t.fund_id left join main_funds m on m.id = ${mainFund}
       where t.activity_id = $1 and t.status <> 'Removed')
     select p.version, min(line.title) as "fundTitle", min(line.cut_off_date)::text as "cutOffDate", min(line.currency) as currency,
       count(*)::int as count, count(*) filter (where line.status = 'Draft')::int as drafts,
       case when bool_and(line.amount is not null) then sum(line.amount)::text end as amount,
       case when bool_and(line.gross is not null) then sum(line.gross)::text end as gross,
       case when bool_and(line.earlier is not null) then sum(line.earlier)::text end as earlier,
       array_agg(line.id::text order by line.id) filter (where line.status = 'Draft') as ids,
       (select jsonb_agg(jsonb_build_object('id', one.id, 'investor', one.investor, 'amount', one.amount::text,
          'earlier', one.earlier::text, 'fileId', one.file) order by one.investor, one.id)
        from (select * from line order by investor, id limit ${MAX_LINES}) as one) as lines
     from line join preparations p on p.document_id = $1 group by p.version`,
    [id, HIDDEN_INVESTOR],
  );
  if (!found) throw new Refusal('notFound');
  return found;
}

const ISSUES: Readonly<Record<SetTable, (session: Session, command: HeaderCommand) => Promise<void>>> = {
  write_offs: issueWriteOffs,
  navs: issueNavs,
  capital_accounts: issueCapitalAccounts,
};

/** Issues the drafts of what was prepared together, as it was seen. @throws Refusal as `issueSeen` */
export const issueSet = (session: Session, table: SetTable, command: HeaderCommand): Promise<void> =>
  ISSUES[table](session, command);

/** A draft of a fund that needs a second person. */
export interface SetToIssue {
  readonly table: SetTable;
  readonly id: string;
  readonly cutOffDate: string;
  readonly state: IssueState;
}

/** The drafts of a fund, or of a main fund as a whole, that need a second person, with the latest day first. */
export async function setsToIssue(
  session: ReadSession,
  { fundId, mainFundId }: { fundId?: string; mainFundId?: string },
  tables: readonly SetTable[],
): Promise<SetToIssue[]> {
  const rows = await session.query<{ table: SetTable; id: string; cutOffDate: string }>(
    `select distinct * from (${tables
      .map(
        (table) => `select '${table}' as table, activity_id as id, cut_off_date::text as "cutOffDate" from ${table}
         where status = 'Draft' and (fund_id = $1${table === 'capital_accounts' ? ' or (fund_id is null and main_fund_id = $2)' : ' and $2::text is null'})`,
      )
      .join(' union all ')}) as draft order by "cutOffDate" desc, id`,
    [fundId ?? null, mainFundId ?? null],
  );
  const states = await issueStates(
    session,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) => {
    const state = states.get(row.id);
    return state?.isNeeded ? [{ ...row, state }] : [];
  });
}
