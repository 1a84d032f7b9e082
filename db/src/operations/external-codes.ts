import { externalCodeRefusal } from '../database-refusals.ts';
import { asProgram, type Session } from '../store.ts';

type Coded = 'companies' | 'funds' | 'lps';

/** Two codes that differ only in case are the same. */
const keyOf = (code: string): string => code.toLowerCase();

/**
 * The codes of a manager's records that are not removed, and of the new ones that were asked for before: a function that
 * refuses one that is taken, also by a record that the actor cannot see.
 * @param except the record that is changed
 */
export async function externalCodesOf(
  session: Session,
  table: Coded,
  {
    managerId,
    codes,
    except = null,
  }: { managerId: string; codes: readonly (string | null | undefined)[]; except?: string | null },
): Promise<(code: string | null | undefined) => void> {
  const asked = codes.flatMap((code) => (code ? keyOf(code) : []));
  const rows =
    asked.length === 0
      ? []
      : await asProgram(session, () =>
          session.query<{ key: string }>(
            `select lower(external_code) as key from ${table}
             where manager_id = $1 and lower(external_code) = any ($2) and status <> 'Removed' and id is distinct from $3`,
            [managerId, asked, except],
          ),
        );
  const taken = new Set(rows.map(({ key }) => key));
  return (code) => {
    if (!code) return;
    if (taken.has(keyOf(code))) throw externalCodeRefusal();
    taken.add(keyOf(code));
  };
}
