import { Manager } from '@tapeline/db/entities/people.ts';
import { createBankAccount } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { type Payable, payablesOf, readPayingAccount } from '@tapeline/db/operations/cash/payables.ts';
import { preparePaymentRun, withdrawPaymentRun } from '@tapeline/db/operations/cash/payment-runs.ts';
import { reachableActors } from '@tapeline/db/operations/identity/load-actor.ts';
import { type Session, type Store, systemActor } from '@tapeline/db/store.ts';
import { bankAccountCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { paymentRunCreateSchema } from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import type { ObjectStore } from '@tapeline/lake/storage/object-store.ts';
import { releaseRun } from '@tapeline/lake/storage/release-run.ts';
import { readData } from './data.ts';
import { COLLEAGUE_EMAIL, DEMONSTRATION_MANAGER, UPLOADER_EMAIL } from './names.ts';

interface PaymentRuns {
  readonly account: object;
  /** Why the last run was withdrawn. */
  readonly withdrawn: string;
}

/**
 * Payment runs of the first manager: one that the first user can release, one that was released, and one that was withdrawn.
 * Each pays one distribution that is owed to an investor whose account is confirmed.
 */
export async function addDemonstrationPayments(store: Store, objects: ObjectStore): Promise<void> {
  const { account, withdrawn } = readData<PaymentRuns>('payment-runs');
  const actorOf = async (session: Session, email: string) => {
    const [actor] = await reachableActors(session, 'u.email = $1', [email]);
    if (!actor) throw new Error(`${email} is not a user`);
    return actor;
  };
  const { manager, colleague, openingDate } = await store.as(systemActor('Seeding'), async (session) => {
    await session.em.findOneOrFail(Manager, { name: DEMONSTRATION_MANAGER });
    return {
      manager: await actorOf(session, UPLOADER_EMAIL),
      colleague: await actorOf(session, COLLEAGUE_EMAIL),
      openingDate: `${session.now.getUTCFullYear() - 1}-12-31`,
    };
  });
  const { id: bankAccount } = await store.as(manager, (session) =>
    createBankAccount(session, bankAccountCreateSchema.parse({ ...account, openingDate })),
  );
  const payables = await store.as(manager, async (session) =>
    (await payablesOf(session, await readPayingAccount(session, bankAccount))).filter(({ block }) => block === null),
  );
  const prepare = (by: typeof manager, payable: Payable | undefined) =>
    store.as(by, (session) => {
      if (!payable) throw new Error('The demonstration owes too few distributions');
      const body = {
        bankAccount,
        executeOn: session.now.toISOString().slice(0, 10),
        format: 'CSV',
        payables: [{ kind: payable.kind, id: payable.id }],
      };
      return preparePaymentRun(session, paymentRunCreateSchema.parse(body));
    });
  const [first, second, third] = payables;
  const released = await prepare(manager, first);
  await releaseRun({ store, objects }, colleague, released);
  const { id, version } = await prepare(manager, third);
  await store.as(manager, (session) => withdrawPaymentRun(session, { id, version, reason: withdrawn }));
  await prepare(colleague, second);
}
