import { COLLECTIONS } from '@tapeline/domain/collections/collections.ts';
import type { ImportFundTotal, ImportTotal } from '@tapeline/domain/importer/check.ts';
import {
  IMPORT_KINDS,
  IMPORTED_COLLECTIONS,
  type ImportKind,
  isTimeSeriesKind,
  type TimeSeriesKind,
} from '@tapeline/domain/importer/kinds.ts';
import { shownClassOf } from '@tapeline/domain/importer/match-names.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { ReadSession } from '../../read-session.ts';

/** The table of what each kind adds or changes. */
export const IMPORTED_TABLES = Object.fromEntries(
  IMPORT_KINDS.map((kind) => [kind, tableOf(STORED[IMPORTED_COLLECTIONS[kind]])]),
) as Readonly<Record<ImportKind, string>>;

/** What an investor has committed, with the changes since the closing. */
const COMMITTED = `(active_commitment + coalesce((select sum((d ->> 'amount')::numeric) from jsonb_array_elements(deltas) d), 0))`;

const COMMITMENT_SUMS = { maxCommitment: 'max_commitment', activeCommitment: COMMITTED };

/** The columns that are added up, by field. */
const SUMS: Readonly<Record<ImportKind, Readonly<Record<string, string>> | null>> = {
  funds: { targetSize: 'target_size', hardCap: 'hard_cap' },
  contributions: { amount: 'amount' },
  distributions: { principal: 'principal', totalDistributed: 'total_distributed' },
  LPs: null,
  LPCommitments: COMMITMENT_SUMS,
  navs: { gross: 'gross', net: 'net' },
  users: null,
  capitalAccounts: null,
  reports: null,
  feeTerms: null,
  sideLetters: null,
  closings: COMMITMENT_SUMS,
  transfers: COMMITMENT_SUMS,
};

/** An import of documents that its user may not read says nothing about those that exist. */
const maySeeTotals = ({ actor }: ReadSession, kind: ImportKind): boolean =>
  can(actor, COLLECTIONS[IMPORTED_COLLECTIONS[kind]].read);

/**
 * The manager's records of a kind that are not removed, drafts included, by currency; none without the permission to read
 * them.
 */
export async function totalsOf(session: ReadSession, managerId: string, kind: ImportKind): Promise<ImportTotal[]> {
  if (!maySeeTotals(session, kind)) return [];
  const sums = SUMS[kind];
  const where = `from ${IMPORTED_TABLES[kind]} where manager_id = $1 and status <> 'Removed'`;
  if (!sums) {
    const rows = await session.query<{ count: number }>(`select count(*)::int as count ${where}`, [managerId]);
    return rows.map(({ count }) => ({ currency: null, count, sums: {} }));
  }
  const pairs = Object.entries(sums).map(([field, column]) => `'${field}', sum(${column})::text`);
  return session.query<{ currency: string; count: number; sums: Record<string, DecimalText> }>(
    `select currency, count(*)::int as count, jsonb_build_object(${pairs.join(', ')}) as sums ${where}
     group by currency order by currency`,
    [managerId],
  );
}

/** The column of the amount that a row of each kind has. */
const AMOUNTS: Readonly<Record<TimeSeriesKind, string>> = {
  contributions: 'amount',
  distributions: 'total_distributed',
  LPCommitments: COMMITTED,
  navs: 'net',
};

interface FundSum {
  readonly fundId: string;
  readonly title: string;
  readonly classKey: string | null;
  readonly className: string | null;
  readonly currency: string;
  readonly count: number;
  readonly sum: DecimalText;
}

/**
 * The manager's records of a kind that are not removed, drafts included, by fund and class; none of the other kinds, and
 * none without the permission to read them.
 */
export async function fundSumsOf(
  session: ReadSession,
  { managerId, kind, fundIds }: { managerId: string; kind: ImportKind; fundIds: readonly string[] },
): Promise<FundSum[]> {
  if (!isTimeSeriesKind(kind) || fundIds.length === 0 || !maySeeTotals(session, kind)) return [];
  const rows = await session.query<Omit<FundSum, 'className'> & { classes: { name: string; uniqueKey: string }[] }>(
    `select f.id as "fundId", f.title, f.classes, sums.class as "classKey", sums.currency, sums.count, sums.sum
     from (select fund_id, class, currency, count(*)::int as count, sum(${AMOUNTS[kind]})::text as sum from ${IMPORTED_TABLES[kind]}
       where manager_id = $1 and fund_id = any ($2) and status <> 'Removed' group by fund_id, class, currency) sums
     join funds f on f.id = sums.fund_id
     order by f.title, f.id, sums.class nulls first, sums.currency`,
    [managerId, [...fundIds]],
  );
  return rows.map(({ classes, ...one }) => ({ ...one, className: shownClassOf(classes, one.classKey) }));
}

/** What an import adds to each fund. */
export function fundTotalsOf(before: readonly FundSum[], after: readonly FundSum[]): ImportFundTotal[] {
  const keyOf = ({ fundId, classKey, currency }: FundSum) => JSON.stringify([fundId, classKey, currency]);
  const earlier = new Map(before.map((one) => [keyOf(one), one]));
  return after.map((one) => {
    const { count = 0, sum = '0' } = earlier.get(keyOf(one)) ?? {};
    const { fundId, title, classKey, className, currency } = one;
    return {
      fundId,
      title,
      classKey,
      className,
      currency,
      before: { count, sum },
      after: { count: one.count, sum: one.sum },
    };
  });
}
