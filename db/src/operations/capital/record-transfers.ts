import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { ledgersOf } from './ledgers.ts';
import { partsOfTransfers, rowsOfPart, type StoredTransfer, withoutTransferred } from './transferred-lines.ts';

const TRANSFERS = `select id, fund_id as fund, currency, commitment_id as "commitmentId", to_commitment_id as "toCommitmentId",
  date::text as date, share_percent::text as "sharePercent", price::text as price
  from transfers where fund_id = any ($1) and share_percent is not null order by date, id`;

const INSERT = `
  insert into transferred_lines (transfer_id, commitment_id, manager_id, fund_id, investor_lp_id, investor_fund_id, kind, sequence,
    document_id, call_number, cut_off_date, due_date, paid_on, purposes, amount, principal, components, basis, is_recallable,
    total_distributed, gross, net, moved_gross, moved_net, price, nav_date)
  select part.transfer_id, c.id, c.manager_id, c.fund_id, c.investor_lp_id, c.investor_fund_id, part.kind, part.sequence,
    part.document_id, part.call_number, part.cut_off_date, part.due_date, part.paid_on, part.purposes, part.amount,
    part.principal, part.components, part.basis, part.is_recallable, part.total_distributed, part.gross, part.net, part.moved_gross,
    part.moved_net, part.price, part.nav_date
  from jsonb_to_recordset($1::jsonb) as part (transfer_id text, commitment_id text, kind text, sequence integer, document_id text,
    call_number text, cut_off_date date, due_date date, paid_on date, purposes jsonb, amount numeric, principal numeric,
    components jsonb, basis jsonb, is_recallable boolean, total_distributed numeric, gross numeric, net numeric, moved_gross numeric,
    moved_net numeric, price numeric, nav_date date)
    join lp_commitments c on c.id = part.commitment_id`;

/** The ledgers of these commitments as they were without any transfer of an interest. */
async function ownLedgersOf(session: ReadSession, transfers: readonly StoredTransfer[]) {
  const ids = [...new Set(transfers.flatMap(({ commitmentId, toCommitmentId }) => [commitmentId, toCommitmentId]))];
  const ledgers = await ledgersOf(session, ids);
  return new Map([...ledgers].map(([id, ledger]): [string, CapitalLedger] => [id, withoutTransferred(ledger)]));
}

/**
 * Records what the transfers of interests in these funds move, after an earlier document has changed. The database
 * refuses a change after which this was not done.
 * @returns the commitments of the transfers
 */
async function recordOf(session: Session, fundIds: readonly string[]): Promise<string[]> {
  const all = await session.query<StoredTransfer & { fund: string }>(TRANSFERS, [[...fundIds]]);
  if (all.length === 0) return [];
  const ledgers = await ownLedgersOf(session, all);
  const parts = [...Map.groupBy(all, ({ fund }) => fund).values()].flatMap((own) => partsOfTransfers(own, ledgers));
  await session.query('delete from transferred_lines where fund_id = any ($1)', [[...fundIds]]);
  await session.query(INSERT, [JSON.stringify(parts.flatMap(rowsOfPart))]);
  await session.query('update transfers set is_due = false where fund_id = any ($1) and is_due', [[...fundIds]]);
  return [...ledgers.keys()];
}

/**
 * Records the parts again that follow from a change of documents of these commitments.
 * @returns the commitments whose capital may have changed by it
 */
export async function recordTransfers(session: Session, commitmentIds: readonly string[]): Promise<string[]> {
  await session.em.flush();
  return asProgram(session, async () => {
    const due = await session.query<{ fund: string }>(
      `select distinct t.fund_id as fund from transfers t join lp_commitments c on c.fund_id = t.fund_id
       where c.id = any ($1) and t.is_due`,
      [[...commitmentIds]],
      { kept: true },
    );
    if (due.length === 0) return [];
    return recordOf(
      session,
      due.map(({ fund }) => fund),
    );
  });
}
