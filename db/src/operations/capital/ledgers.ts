import {
  type CapitalLedger,
  type LedgerCall,
  type LedgerDistribution,
  type LedgerNav,
  overcalled,
} from '@tapeline/domain/capital/capital-figures.ts';
import type { DistributionComponent } from '@tapeline/domain/capital/distribution-totals.ts';
import type { CommitmentTerms } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NonRecyclable } from '@tapeline/domain/funds/fund.schema.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { type DecimalText, negate, round } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, BLOCKED_FOR_ACTOR, type Session } from '../../store.ts';

/** What messages call an investor whose commitment is blocked for the actor. */
export const HIDDEN_INVESTOR = 'An investor whom you cannot see';

/** A commitment in force, with its investor. */
export interface FundCommitment extends CommitmentTerms {
  readonly id: string;
  readonly managerId: string;
  readonly fundId: string;
  readonly Class: string | null;
  readonly currency: string;
  readonly investorKind: 'fund' | 'LP';
  readonly investorLPId: string | null;
  readonly investorFundId: string | null;
  /** Of the investor; null if the commitment is blocked for the actor, whose messages do not name it. */
  readonly title: string | null;
  /** The investor's sequential code. */
  readonly code: number;
}

const COLUMNS = `c.id, c.manager_id as "managerId", c.fund_id as "fundId", c.class as "Class", c.currency,
  c.investor_kind as "investorKind", c.investor_lp_id as "investorLPId", c.investor_fund_id as "investorFundId",
  case when not (document_owners('LPCommitments', to_jsonb(c)) && ${BLOCKED_FOR_ACTOR}) then coalesce(l.title, f.title, 'An investor') end as title, coalesce(l.code, f.code, 0) as code,
  c.closing_date::text as "closingDate", c.active_commitment::text as "activeCommitment", c.deltas
  from lp_commitments c left join lps l on l.id = c.investor_lp_id left join funds f on f.id = c.investor_fund_id`;

/** The visible commitments in force to funds, or to one of their classes, or of one of their investors. */
export const commitmentsInForce = (
  session: ReadSession,
  { fundIds, Class, investorId }: { fundIds: readonly string[]; Class?: string | null; investorId?: string | null },
): Promise<FundCommitment[]> =>
  session.query<FundCommitment>(
    `select ${COLUMNS} where c.fund_id = any ($1) and c.status in ('Active', 'Closed')
       and ($2::text is null or c.class = $2) and ($3::text is null or coalesce(c.investor_lp_id, c.investor_fund_id) = $3)
     order by c.id`,
    [[...fundIds], Class ?? null, investorId ?? null],
  );

/** The visible commitments in force of these investors to these funds. */
export const commitmentsOfInvestors = (
  session: ReadSession,
  { fundIds, investorIds }: { fundIds: readonly string[]; investorIds: readonly string[] },
): Promise<FundCommitment[]> =>
  session.query<FundCommitment>(
    `select ${COLUMNS} where c.fund_id = any ($1) and c.status in ('Active', 'Closed')
       and coalesce(c.investor_lp_id, c.investor_fund_id) = any ($2) order by c.id`,
    [[...fundIds], [...investorIds]],
  );

type Of<Row> = Row & { commitment: string };

type LedgerRows = [
  Of<CommitmentTerms & { status: string; nonRecyclable: NonRecyclable | null }>[],
  Of<LedgerCall>[],
  Of<Omit<LedgerDistribution, 'components'> & { components: DistributionComponent[] }>[],
  Of<{ cutOffDate: string; amount: DecimalText }>[],
  Of<LedgerNav>[],
];

const IN_FORCE = `commitment_id = any ($1) and status in ('Active', 'Closed')`;

/**
 * What happened between each of these commitments and its fund, by the id of the commitment: visible documents that are
 * Active or Closed.
 */
export async function ledgersOf(
  session: ReadSession,
  commitmentIds: readonly string[],
): Promise<Map<string, CapitalLedger>> {
  const values = [[...commitmentIds]];
  const [commitments, calls, distributions, writeOffs, navs] = await session.queries<LedgerRows>([
    {
      sql: `select c.id as commitment, c.closing_date::text as "closingDate", c.deltas, c.status,
              c.active_commitment::text as "activeCommitment", f.non_recyclable as "nonRecyclable"
            from lp_commitments c left join funds f on f.id = c.fund_id where c.id = any ($1)`,
      values,
    },
    {
      sql: `select id, code, commitment_id as commitment, cut_off_date::text as "cutOffDate", due_date::text as "dueDate", purposes
            from contributions where ${IN_FORCE}`,
      values,
    },
    {
      sql: `select id, code, commitment_id as commitment, cut_off_date::text as "cutOffDate", principal::text, components,
              is_recallable as recallable from distributions where ${IN_FORCE}`,
      values,
    },
    {
      sql: `select commitment_id as commitment, cut_off_date::text as "cutOffDate", amount::text from write_offs where ${IN_FORCE}`,
      values,
    },
    {
      sql: `select commitment_id as commitment, cut_off_date::text as "cutOffDate", gross::text, net::text from navs where ${IN_FORCE}`,
      values,
    },
  ]);
  const by = <Row extends { commitment: string }>(rows: Row[]) => Map.groupBy(rows, ({ commitment }) => commitment);
  const [called, distributed, writtenOff, valued] = [by(calls), by(distributions), by(writeOffs), by(navs)];
  return new Map(
    commitments.map(({ commitment: id, status, nonRecyclable, ...terms }) => [
      id,
      {
        // A draft, or a removed one, commits nobody.
        commitment:
          status === 'Active' || status === 'Closed' ? terms : { ...terms, activeCommitment: '0', deltas: [] },
        calls: called.get(id) ?? [],
        distributions: distributed.get(id) ?? [],
        writeOffs: writtenOff.get(id) ?? [],
        navs: valued.get(id) ?? [],
        nonRecyclable,
      },
    ]),
  );
}

/** Names in one message. */
const MOST_NAMES = 10;

/**
 * Investors of whom more is called than they have committed, in words: "Harbor by 100.00 USD on 31 Mar 2026". Neither the
 * name nor the amount of an investor whom the actor cannot see.
 */
export function overcalledInvestors(
  investors: readonly { title: string | null; currency: string; ledger: CapitalLedger }[],
): string[] {
  return investors.flatMap(({ title, currency, ledger }) => {
    const beyond = overcalled(ledger);
    if (beyond === null) return [];
    if (title === null) return [HIDDEN_INVESTOR];
    const excess = round(negate(beyond.amount), minorUnitDigits(currency));
    return [`${title} by ${excess} ${currency} on ${formatCalendarDate(beyond.day)}`];
  });
}

/** @throws Refusal badRequest with the names and amounts, if there are any */
export function refuseOvercalled(investors: readonly string[], flag: string): void {
  if (investors.length === 0) return;
  const more = investors.length > MOST_NAMES ? `, and ${investors.length - MOST_NAMES} more` : '';
  throw new Refusal(
    'badRequest',
    `More would be called than is committed: ${investors.slice(0, MOST_NAMES).join('; ')}${more}`,
    { flags: { [flag]: 'leaves an unfunded commitment below zero' } },
  );
}

/**
 * Checks, after a change was written, that no investor's unfunded commitment is below zero on any day. What the actor
 * cannot see counts as well.
 * @param flag the field that caused it
 * @throws Refusal badRequest with the names and amounts
 */
export async function requireFunded(session: Session, commitmentIds: readonly string[], flag: string): Promise<void> {
  await session.em.flush();
  const beyond = await asProgram(session, async () => {
    const ledgers = await ledgersOf(session, commitmentIds);
    const rows = await session.query<FundCommitment>(`select ${COLUMNS} where c.id = any ($1) order by c.id`, [
      [...commitmentIds],
    ]);
    return overcalledInvestors(rows.map(({ id, title, currency }) => ({ title, currency, ledger: ledgers.get(id)! })));
  });
  refuseOvercalled(beyond, flag);
}
