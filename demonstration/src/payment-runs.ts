import { type Payable, payablesOf, payingAccounts } from '@tapeline/db/operations/cash/payables.ts';
import { preparePaymentRun, withdrawPaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import { reachableActors } from '@tapeline/db/operations/identity/load-actor.ts';
import { type Session, type Store, systemActor } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { paymentRunCreateSchema } from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { releaseRun } from '@tapeline/lake/storage/release-run.ts';
import { COLLEAGUE_EMAIL, UPLOADER_EMAIL } from './names.ts';

async function actorOf(session: Session, email: string) {
  const [actor] = await reachableActors(session, 'u.email = $1', [email]);
  if (!actor) throw new Error(`${email} is not a user`);
  return actor;
}

/** The first account that owes three payees whose bank details are confirmed, and what it owes them. */
async function readPayables(session: Session): Promise<{ bankAccount: string; payables: Payable[] }> {
  for (const account of await payingAccounts(session)) {
    const payables = (await payablesOf(session, account)).filter(({ block }) => block === null);
    if (payables.length >= 3) return { bankAccount: account.id, payables };
  }
  throw new Error('The demonstration owes too few distributions');
}

/**
 * Payment runs of the first manager: one that the first user can release, one that was released, and one that was withdrawn.
 * Each pays one distribution that is owed to an investor whose account is confirmed.
 */
export async function addDemonstrationPayments(store: Store, objects: ObjectStore): Promise<void> {
  const { manager, colleague } = await store.as(systemActor('Seeding'), async (session) => ({
    manager: await actorOf(session, UPLOADER_EMAIL),
    colleague: await actorOf(session, COLLEAGUE_EMAIL),
  }));
  const { bankAccount, payables } = await store.as(manager, readPayables);
  const prepare = (by: typeof manager, index: number) =>
    store.as(by, (session) => {
      const { kind, id } = payables[index]!;
      const executeOn = todayOf(session);
      const body = { bankAccount, executeOn, format: 'CSV', payables: [{ kind, id }] };
      return preparePaymentRun(session, paymentRunCreateSchema.parse(body));
    });
  await releaseRun({ store, objects }, colleague, await prepare(manager, 0));
  const { id, version } = await prepare(manager, 1);
  const reason = 'The investor asked for a later payment date';
  await store.as(manager, (session) => withdrawPaymentRun(session, { id, version, reason }));
  await prepare(colleague, 2);
}
