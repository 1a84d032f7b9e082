import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { asProgram, type Session } from '../../store.ts';

/**
 * Locks all payments and obligations that a command needs until the transaction ends, in the order in which everybody takes
 * them, so that two commands at once never wait for each other.
 */
export const lockCash = (
  session: Session,
  { payments, documents }: { readonly payments: readonly string[]; readonly documents: readonly string[] },
): Promise<unknown> => session.query('select lock_cash($1, $2)', [[...payments], [...documents]]);

/** The same of documents, with the payments that paid them. */
export const lockDocumentsOfCash = (session: Session, documents: readonly string[]): Promise<unknown> =>
  session.query('select lock_documents($1)', [[...documents]]);

/** Takes back allocations, with a reason. Their payments are changed by the actor. */
export const reverseAllocations = (session: Session, ids: readonly string[], reason: string): Promise<unknown> =>
  session.query('select reverse_allocations($1, $2)', [[...ids], reason]);

/** The other part of a return: the allocation of the other payment. Empty for an allocation that is no return. */
export async function pairOf(session: Session, allocation: string): Promise<string[]> {
  const rows = await session.query<{ id: string }>(
    `select other.id from allocations a join allocations other on other.obligation_kind = 'credit' and other.payment_id = a.document_id
       and other.document_id = a.payment_id and other.amount = a.amount and other.created_at = a.created_at
       and (other.reversed_at is null) = (a.reversed_at is null)
     where a.id = $1 and a.obligation_kind = 'credit' order by other.id limit 1`,
    [allocation],
  );
  return rows.map(({ id }) => id);
}

/**
 * Refuses to withdraw what a payment run pays: it would be owed, and paid, again. Nobody adds it to a run until the
 * transaction ends.
 * @throws Refusal badRequest that says what to do first
 */
export async function requireNotPaidByRun(session: Session, documents: readonly string[]): Promise<void> {
  if (documents.length === 0) return;
  await lockDocumentsOfCash(session, documents);
  const [run] = await asProgram(session, () =>
    session.query<{ code: number; status: string; lines: number }>(
      `select r.code::int, r.status, count(*)::int as lines from payment_run_lines l join payment_runs r on r.id = l.run_id
       where l.is_open and l.document_id = any ($1) group by r.code, r.status order by r.code limit 1`,
      [[...documents]],
    ),
  );
  if (!run) return;
  const what = `Payment run ${run.code} pays ${run.lines === 1 && documents.length === 1 ? 'this' : `${run.lines} of these`}`;
  throw new Refusal(
    'badRequest',
    run.status === 'Released'
      ? `${what}. If the bank did not pay, record the payment as returned on the page of the run, and try again`
      : `${what}. Withdraw the run, and try again`,
    { flags: { status: 'is paid by a payment run' } },
  );
}
