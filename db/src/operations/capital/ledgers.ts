import type {
  CapitalLedger,
  LedgerCall,
  LedgerDistribution,
  LedgerNav,
  LedgerWriteOff,
} from '@tapeline/domain/capital/capital-figures.ts';
import { CAPITAL_LIMITS, type CapitalLimit, capitalBreaches } from '@tapeline/domain/capital/capital-limits.ts';
import type { DistributionComponent } from '@tapeline/domain/capital/distribution-totals.ts';
import type { CommitmentTerms } from '@tapeline/domain/commitments/active-commitment.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { type OnRefusal, Refusal, refuseItem } from '@tapeline/domain/errors/refusal.ts';
import type { NonRecyclable } from '@tapeline/domain/funds/fund.schema.ts';
import { add, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import { formatAmount } from '@tapeline/domain/money/format-figure.ts';
import type { ReadSession } from '../../read-session.ts';
import { BLOCKED_FOR_ACTOR } from '../../store.ts';
import { type TransferredRows, transferredOf } from './transferred-lines.ts';

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
    { kept: true },
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
    { kept: true },
  );

/** Commitments of any status. */
export const commitmentsById = (session: ReadSession, ids: readonly string[]): Promise<FundCommitment[]> =>
  session.query<FundCommitment>(`select ${COLUMNS} where c.id = any ($1) order by c.id`, [[...ids]], { kept: true });

type Of<Row> = Row & { commitment: string };

type LedgerRows = [
  Of<CommitmentTerms & { status: string; nonRecyclable: NonRecyclable | null; isPartlyHidden: boolean }>[],
  Of<LedgerCall>[],
  Of<Omit<LedgerDistribution, 'components'> & { components: DistributionComponent[] }>[],
  Of<LedgerWriteOff>[],
  Of<LedgerNav>[],
  ...TransferredRows,
];

const IN_FORCE = `commitment_id = any ($1) and status in ('Active', 'Closed')`;

/** Whether a document of the commitment `c` is blocked for the actor, although the program counts it. */
const PARTLY_HIDDEN = `${BLOCKED_FOR_ACTOR} <> '{}' and (${[
  ['contributions', 'contributions'],
  ['distributions', 'distributions'],
  ['writeOffs', 'write_offs'],
]
  .map(
    ([collection, table]) =>
      `exists (select from ${table} part where part.commitment_id = c.id and part.status in ('Active', 'Closed')
         and document_owners('${collection}', to_jsonb(part)) && ${BLOCKED_FOR_ACTOR})`,
  )
  .join(' or ')})`;

/**
 * What happened between each of these commitments and its fund, by the id of the commitment: visible documents that are
 * Active or Closed.
 */
export async function ledgersOf(
  session: ReadSession,
  commitmentIds: readonly string[],
): Promise<Map<string, CapitalLedger>> {
  const values = [[...commitmentIds]];
  const [commitments, calls, distributions, writeOffs, navs, ...transferred] = await session.queries<LedgerRows>([
    {
      sql: `select c.id as commitment, c.closing_date::text as "closingDate", c.deltas, c.status,
              c.active_commitment::text as "activeCommitment", f.non_recyclable as "nonRecyclable",
              ${PARTLY_HIDDEN} as "isPartlyHidden"
            from lp_commitments c left join funds f on f.id = c.fund_id where c.id = any ($1)`,
      values,
      kept: true,
    },
    {
      sql: `select id, code, commitment_id as commitment, cut_off_date::text as "cutOffDate", due_date::text as "dueDate",
              call_number as "callNumber", purposes
            from contributions where ${IN_FORCE}`,
      values,
      kept: true,
    },
    {
      sql: `select id, code, commitment_id as commitment, cut_off_date::text as "cutOffDate",
              call_number as "callNumber", principal::text, components,
              is_recallable as recallable, case when basis @> '[{"rule": "waterfall"}]' then basis end as basis
            from distributions where ${IN_FORCE}`,
      values,
      kept: true,
    },
    {
      sql: `select id, commitment_id as commitment, cut_off_date::text as "cutOffDate", amount::text from write_offs where ${IN_FORCE}`,
      values,
      kept: true,
    },
    {
      sql: `select commitment_id as commitment, cut_off_date::text as "cutOffDate", gross::text, net::text from navs where ${IN_FORCE}`,
      values,
      kept: true,
    },
    ...transferredOf(values),
  ]);
  const by = <Row extends { commitment: string }>(rows: Row[]) => Map.groupBy(rows, ({ commitment }) => commitment);
  const [called, distributed, writtenOff, valued] = [by(calls), by(distributions), by(writeOffs), by(navs)];
  const [calledBefore, distributedBefore, writtenOffBefore, valuedBefore] = [
    by(transferred[0]),
    by(transferred[1]),
    by(transferred[2]),
    by(transferred[3]),
  ];
  return new Map(
    commitments.map(({ commitment: id, status, nonRecyclable, isPartlyHidden, ...terms }) => [
      id,
      {
        // A draft, or a removed one, commits nobody.
        commitment:
          status === 'Active' || status === 'Closed' ? terms : { ...terms, activeCommitment: '0', deltas: [] },
        calls: [...(called.get(id) ?? []), ...(calledBefore.get(id) ?? [])],
        distributions: [...(distributed.get(id) ?? []), ...(distributedBefore.get(id) ?? [])],
        writeOffs: [...(writtenOff.get(id) ?? []), ...(writtenOffBefore.get(id) ?? [])],
        // A NAV that is recorded for the day of a transfer counts after it.
        navs: [...(valuedBefore.get(id) ?? []), ...(valued.get(id) ?? [])],
        nonRecyclable,
        isPartlyHidden,
      },
    ]),
  );
}

/** Names in one message. */
const MAX_NAMES = 10;

/** What is beyond a limit, in words: for the message, and at the field that caused it. */
const LIMIT_TEXTS: Readonly<Record<CapitalLimit, { message: string; flag: string; was: string; most: string }>> = {
  called: {
    message: 'More would be called than is committed',
    flag: 'leaves an unfunded commitment below zero',
    was: 'called',
    most: 'committed',
  },
  returned: {
    message: 'More principal would be returned than was called and not returned yet',
    flag: 'is more than what was called and not returned yet',
    was: 'returned',
    most: 'called',
  },
  writtenOff: {
    message: 'More would be written off than the net capital called',
    flag: 'is more than the net capital called',
    was: 'written off',
    most: 'net capital called',
  },
};

/** Investors beyond a limit of capital, in words: "Harbor by 100.00 USD on 31 Mar 2026". */
export interface BeyondLimit {
  readonly limit: CapitalLimit;
  readonly investors: readonly string[];
}

/**
 * Who is beyond a limit. Neither the name nor the amounts of an investor whom the actor cannot see, and no amounts of one
 * with a document that the actor cannot see: they would say what is in it.
 * @param limits those that a change can break; all unless they are named
 */
export function beyondLimits(
  investors: readonly { title: string | null; currency: string; ledger: CapitalLedger }[],
  limits: readonly CapitalLimit[] = CAPITAL_LIMITS,
): BeyondLimit[] {
  const found = investors.flatMap(({ title, currency, ledger }) =>
    capitalBreaches(ledger, limits).map(({ limit, day, excess, most }) => {
      if (title === null) return { limit, text: HIDDEN_INVESTOR };
      if (ledger.isPartlyHidden) return { limit, text: `${title}, by documents of which you cannot see all` };
      const amount = (sum: DecimalText) => formatAmount({ sum, currency });
      const { was, most: whole } = LIMIT_TEXTS[limit];
      const amounts = limit === 'called' ? '' : ` (${whole} ${amount(most)}, ${was} ${amount(add(most, excess))})`;
      return {
        limit,
        text: `${title} by ${amount(excess)} ${currency} on ${formatCalendarDate(day)}${amounts}`,
      };
    }),
  );
  return limits.flatMap((limit) => {
    const texts = found.flatMap((one) => (one.limit === limit ? [one.text] : []));
    return texts.length === 0 ? [] : [{ limit, investors: texts }];
  });
}

/** @throws Refusal badRequest with the names and amounts of the first limit, if there are any */
export function refuseBeyond([first]: readonly BeyondLimit[], flag: string): void {
  if (!first) return;
  const { limit, investors } = first;
  throw new Refusal(
    'badRequest',
    `${LIMIT_TEXTS[limit].message}: ${firstFew(investors, { most: MAX_NAMES, separator: '; ' })}`,
    {
      flags: { [flag]: LIMIT_TEXTS[limit].flag },
    },
  );
}

/**
 * Leaves out the documents of single investors, in their order, that go beyond a limit after those before them.
 * @param parts the part of each document; null for one that was left out before
 * @param withDocument the ledger with one more document
 */
export function requireEachWithinLimits<Part extends { commitment: FundCommitment; ledger: CapitalLedger }>(
  parts: (Part | null)[],
  withDocument: (ledger: CapitalLedger, index: number) => CapitalLedger,
  { flag, limits }: { flag: string; limits: readonly CapitalLimit[] },
  onRefusal: OnRefusal | undefined,
): void {
  const places = Map.groupBy(parts.keys(), (index) => parts[index]?.commitment.id ?? null);
  for (const [id, own] of places) {
    if (id === null) continue;
    const first = parts[own[0]!]!;
    const { title, currency } = first.commitment;
    const beyondWith = (ledger: CapitalLedger) => beyondLimits([{ title, currency, ledger }], limits);
    if (beyondWith(own.reduce(withDocument, first.ledger)).length === 0) continue;
    let { ledger } = first;
    for (const index of own) {
      const after = withDocument(ledger, index);
      try {
        refuseBeyond(beyondWith(after), flag);
        ledger = after;
      } catch (error) {
        parts[index] = refuseItem(error, index, onRefusal);
      }
    }
  }
}
