import { type ReasonCode, reason, type Why } from '@tapeline/domain/errors/reason.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { ReadRow, RowPayloads } from '@tapeline/domain/importer/read-rows.ts';
import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import { asProgram, type Session } from '../../store.ts';
import { lockFunds } from '../commitments/change-commitments.ts';
import type { RowReferences } from './references.ts';
import { IMPORTED_TABLES } from './totals.ts';

/** Reasons of operations that are about another record. */
export const DUPLICATES: ReadonlySet<ReasonCode> = new Set([
  'emailTaken',
  'codeTaken',
  'numberTaken',
  'navTaken',
  'commitmentTaken',
]);

/** The role that imported users get; null if there is none of this name. */
export async function investorRole(session: Session, managerId: string): Promise<string | null> {
  const [role] = await session.query<{ id: string }>(
    `select id from roles where title = 'Investor' and status = 'Active' and (manager_id is null or manager_id = $1)
     order by manager_id nulls last limit 1`,
    [managerId],
  );
  return role?.id ?? null;
}

type Duplicate = readonly [index: number, column: string, why: Why];

/** Codes and emails that other records have or had. Undone codes are not used again. */
export async function takenBefore(
  session: Session,
  managerId: string,
  kind: ImportKind,
  read: readonly ReadRow<ImportKind>[],
) {
  const duplicates: Duplicate[] = [];
  if (kind === 'funds' || kind === 'LPs') {
    const codes = read.flatMap(({ payload }) => (payload && 'code' in payload ? payload.code : null) ?? []);
    const withCodes = `from ${IMPORTED_TABLES[kind]} where manager_id = $1 and code = any ($2)`;
    const known = await session.query<{ code: number; title: string; status: string }>(
      `select code, title, status ${withCodes}`,
      [managerId, codes],
    );
    const byCode = new Map(known.map((one) => [one.code, one]));
    const taken = await asProgram(session, () =>
      session.query<{ code: number }>(`select code ${withCodes}`, [managerId, codes]),
    );
    const hidden = new Set(taken.flatMap(({ code }) => (byCode.has(code) ? [] : [code])));
    for (const [index, { payload }] of read.entries()) {
      if (!payload || !('code' in payload) || payload.code == null) continue;
      if (hidden.has(payload.code)) duplicates.push([index, 'code', reason('codeTaken')]);
      const one = byCode.get(payload.code);
      if (!one) continue;
      const message =
        one.status === 'Removed'
          ? `was the code of ${one.title}, which was removed. Codes are not used again`
          : `is the code of ${one.title}`;
      duplicates.push([index, 'code', message]);
    }
  }
  if (kind === 'users') {
    const emailOf = ({ payload }: ReadRow<ImportKind>) =>
      payload && 'email' in payload ? payload.email.toLowerCase() : null;
    const rows = await asProgram(session, () =>
      session.query<{ email: string }>(
        `select lower(email) as email from users where lower(email) = any ($1) and status <> 'Removed'`,
        [read.flatMap((one) => emailOf(one) ?? [])],
      ),
    );
    const taken = new Set(rows.map(({ email }) => email));
    for (const [index, one] of read.entries()) {
      if (taken.has(emailOf(one) ?? '')) duplicates.push([index, 'email', reason('emailTaken')]);
    }
  }
  return duplicates;
}

interface StoredChange {
  /** What a row must name to be the same: as `JSON.stringify` writes it. */
  readonly key: readonly unknown[];
  readonly amount: DecimalText | null;
  readonly share: DecimalText | null;
}

const STORED_CHANGES = {
  closings: `select json_build_array(fund_id, lower(title), closing_date) as key, null as amount, null as share
    from closings where manager_id = $1 and fund_id = any ($2)`,
  transfers: `select json_build_array(t.fund_id, t.class, coalesce(c.investor_lp_id, c.investor_fund_id),
      coalesce(n.investor_lp_id, n.investor_fund_id), t.date) as key,
      case when t.share_percent is null then t.amount::text end as amount, t.share_percent::text as share
    from transfers t join lp_commitments c on c.id = t.commitment_id join lp_commitments n on n.id = t.to_commitment_id
    where t.manager_id = $1 and t.fund_id = any ($2)`,
};

const isSame = (one: DecimalText | null | undefined, other: DecimalText | null): boolean =>
  one == null || other === null ? one == null && other === null : compare(one, other) === 0;

/**
 * Closings and transfers that are recorded already. Nothing else tells them apart from further ones: a share of what is left
 * would be transferred, and commitments would increase, once more. Their funds are locked, so that two imports of one file
 * see each other.
 */
export async function madeBefore(
  session: Session,
  managerId: string,
  {
    kind,
    read,
    references,
  }: { kind: ImportKind; read: readonly ReadRow<ImportKind>[]; references: readonly RowReferences[] },
): Promise<Duplicate[]> {
  if (kind !== 'closings' && kind !== 'transfers') return [];
  const funds = [...new Set(references.flatMap(({ fund }) => fund?.id ?? []))];
  await lockFunds(session, funds);
  const stored = await asProgram(session, () => session.query<StoredChange>(STORED_CHANGES[kind], [managerId, funds]));
  const byKey = Map.groupBy(stored, ({ key }) => JSON.stringify(key));
  return read.flatMap((row, index): Duplicate[] => {
    const { fund, investor, to } = references[index]!;
    if (!row.payload) return [];
    if (kind === 'closings') {
      const { title, date } = row.payload as RowPayloads['closings'];
      if (!byKey.has(JSON.stringify([fund?.id, title.toLowerCase(), date]))) return [];
      const why =
        'is the title of a closing of this fund on that day. Leave its rows out, or give another closing its own title';
      return [[index, 'title', why]];
    }
    const { fundClassCode, date, sharePercent, defaultValue } = row.payload as RowPayloads['transfers'];
    const known = byKey.get(JSON.stringify([fund?.id, fundClassCode ?? null, investor?.id, to?.id, date])) ?? [];
    if (!known.some(({ amount, share }) => isSame(sharePercent, share) && isSame(defaultValue, amount))) return [];
    const why =
      'is the day on which this transfer is recorded already. Leave this row out, or enter another one like it on the page of the commitment';
    return [[index, 'date', why]];
  });
}
