import type { ImportTotal } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';

/** The table of each kind's records. */
export const TABLES: Readonly<Record<ImportKind, string>> = {
  funds: 'funds',
  contributions: 'contributions',
  distributions: 'distributions',
  LPs: 'lps',
  LPCommitments: 'lp_commitments',
  navs: 'navs',
  users: 'users',
  capitalAccounts: 'capital_accounts',
  reports: 'reports',
};

/** The columns that are added up, by field. */
const SUMS: Readonly<Record<ImportKind, Readonly<Record<string, string>> | null>> = {
  funds: { targetSize: 'target_size', hardCap: 'hard_cap' },
  contributions: { amount: 'amount' },
  distributions: { principal: 'principal', totalDistributed: 'total_distributed' },
  LPs: null,
  LPCommitments: { maxCommitment: 'max_commitment', activeCommitment: 'active_commitment' },
  navs: { gross: 'gross', net: 'net' },
  users: null,
  capitalAccounts: null,
  reports: null,
};

/** The manager's records of a kind that are not removed, drafts included, by currency. */
export async function totalsOf(session: ReadSession, managerId: string, kind: ImportKind): Promise<ImportTotal[]> {
  const sums = SUMS[kind];
  const where = `from ${TABLES[kind]} where manager_id = $1 and status <> 'Removed'`;
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
