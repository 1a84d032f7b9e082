import { type ReasonCode, reason, type Why } from '@tapeline/domain/errors/reason.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { ReadRow } from '@tapeline/domain/importer/read-rows.ts';
import { asProgram, type Session } from '../../store.ts';
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
