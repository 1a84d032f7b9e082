import type { CommitmentCreate } from '@tapeline/domain/commitments/commitment.schema.ts';
import { refuse } from '@tapeline/domain/errors/refusal.ts';
import type { Fund } from '../../entities/funds.ts';
import type { Session } from '../../store.ts';

/** The investors that commitments name, and which funds already invest in which, read once for all of them. */
export async function readInvestors(session: Session, investors: readonly CommitmentCreate['investor'][]) {
  const idsOf = (kind: 'LP' | 'fund') => [
    ...new Set(investors.filter((investor) => investor.kind === kind).map(({ id }) => id)),
  ];
  const known = (table: 'lps' | 'funds', ids: readonly string[]) =>
    session.query<{ id: string; managerId: string }>(
      `select id, manager_id as "managerId" from ${table} where id = any ($1) and status <> 'Removed'`,
      [ids],
    );
  const fundIds = idsOf('fund');
  const managerOf = new Map(
    [...(await known('lps', idsOf('LP'))), ...(await known('funds', fundIds))].map(({ id, managerId }) => [
      id,
      managerId,
    ]),
  );
  const edges =
    fundIds.length === 0
      ? []
      : await session.query<{ fund: string; investor: string }>(
          `select distinct fund_id as fund, investor_fund_id as investor from lp_commitments
           where investor_fund_id is not null and status <> 'Removed'`,
        );
  return { managerOf, fundsOf: Map.groupBy(edges, ({ investor }) => investor) };
}

/** Whether a fund invests in another one, directly or through others. */
function investsIn(
  fundsOf: ReadonlyMap<string, readonly { readonly fund: string }[]>,
  investor: string,
  fund: string,
): boolean {
  const reached = new Set([investor]);
  for (const id of reached) for (const next of fundsOf.get(id) ?? []) reached.add(next.fund);
  return investor !== fund && reached.has(fund);
}

/** The investor is an LP of the manager, or another fund of the manager that does not itself receive money from this one. */
export function requireKnownInvestor(
  { managerOf, fundsOf }: Awaited<ReturnType<typeof readInvestors>>,
  fund: Fund,
  investor: CommitmentCreate['investor'],
): void {
  const isOfManager = managerOf.get(investor.id) === fund.managerId;
  if (investor.kind === 'LP') {
    if (isOfManager) return;
    refuse('The investor does not exist', { 'investor.id': 'is not an investor of this manager' });
  }
  if (investor.id === fund.id) refuse('A fund cannot invest in itself', { 'investor.id': 'is the fund itself' });
  if (!isOfManager) refuse('The investing fund does not exist', { 'investor.id': 'is not a fund of this manager' });
  if (investsIn(fundsOf, fund.id, investor.id)) {
    refuse('The funds would invest in each other, and their figures would count twice', {
      'investor.id': 'receives money from this fund',
    });
  }
}

/** @throws Refusal badRequest (flag on `investor.id`) for an investor that cannot commit to the fund */
export async function requireInvestor(
  session: Session,
  fund: Fund,
  investor: CommitmentCreate['investor'],
): Promise<void> {
  requireKnownInvestor(await readInvestors(session, [investor]), fund, investor);
}
