import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import type { ObligationKind } from '@tapeline/domain/cash/labels.ts';
import { add, type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { LP } from '../entities/people.ts';
import { StoredFile } from '../entities/records.ts';
import { LegalEntity } from '../entities/register.ts';
import { newId } from '../ids.ts';
import { createBankAccount } from '../operations/cash/bank-accounts.ts';
import { importStatements } from '../operations/cash/import-statements.ts';
import { allocatePayment, createPayment, getPayment } from '../operations/cash/payments.ts';
import { closeMonth, reconcile } from '../operations/cash/reconciliation.ts';
import { fingerprintOf } from '../operations/investors/payout-accounts.ts';
import { type Session, SYSTEM } from '../store.ts';
import { testActor } from './actors.ts';
import { calledBack } from './call-back.ts';
import { makeTenant } from './tenants.ts';
import type { TestDatabase } from './test-store.ts';

const ACCOUNT_NUMBER = 'US640210000210004471';

/** A line of a statement. */
export interface TestLine {
  /** Signed, with two decimals. */
  readonly amount: DecimalText;
  /** Of the bank. */
  readonly reference: string;
  readonly text?: string;
}

/** An MT940 statement of one day of the account of a ledger. */
export function mt940Statement(number: number, day: string, opening: DecimalText, lines: readonly TestLine[]): string {
  const yymmdd = day.slice(2).replaceAll('-', '');
  const written = (amount: DecimalText) => Number(amount.replace('-', '')).toFixed(2).replace('.', ',');
  const balance = (amount: DecimalText) => `${amount.startsWith('-') ? 'D' : 'C'}${yymmdd}USD${written(amount)}`;
  return [
    ':20:X',
    `:25:${ACCOUNT_NUMBER}`,
    `:28C:${number}`,
    `:60F:${balance(opening)}`,
    ...lines.flatMap(({ amount, reference, text }) => [
      `:61:${yymmdd}${amount.startsWith('-') ? 'D' : 'C'}${written(amount)}NTRFNONREF//${reference}`,
      ...(text === undefined ? [] : [`:86:${text}`]),
    ]),
    `:62F:${balance(add(opening, sum(lines.map(({ amount }) => amount))))}`,
    '-',
  ].join('\n');
}

/** A confirmed account in dollars for each investor, which distributions are paid to. */
async function confirmPayouts({ em, now }: Session, investors: readonly string[]): Promise<void> {
  for (const lp of await em.find(LP, { id: { $in: [...investors] } })) {
    const bank = {
      title: 'Main account',
      accountNumber: `00${1000 + investors.indexOf(lp.id)}`,
      address: '1 High Street',
      type: 'Business' as const,
      abaOrRouting: '021000021',
      bankName: 'First Tidewater',
    };
    (await em.findOneOrFail(LegalEntity, { id: lp.entityId })).banks = [bank];
    const person = { id: newId(), name: 'Ada Ray' };
    lp.payoutAccounts = [
      {
        id: newId(),
        currency: 'USD',
        account: bank.title,
        ending: bank.accountNumber.slice(-4),
        fingerprint: fingerprintOf(bank),
        chosenBy: person,
        chosenAt: now.toISOString(),
        confirmedBy: { id: newId(), name: 'Ben Ray' },
        confirmedAt: now.toISOString(),
        check: calledBack(now),
      },
    ];
  }
}

/**
 * A tenant of its own with one bank account, opened on 1 April 2026 with 1,000.00. Each of two investors owes 100.00 and is
 * owed 40.00, both on 15 April.
 * @param options.now the day on which people work
 */
export async function openCashLedger(database: TestDatabase, { now }: { now: Date }) {
  const fileId = newId();
  const tenant = await database.store.as(SYSTEM, async (session) => {
    const made = await makeTenant(session);
    await confirmPayouts(session, made.lpIds);
    session.em.create(StoredFile, {
      id: fileId,
      bucket: 'bankStatements',
      key: `${fileId}/statement.sta`,
      name: 'statement.sta',
      size: 1,
      type: 'text/plain',
      checksum: 'x',
      status: 'Active',
      managerId: made.managerId,
      createdAt: now,
    });
    return made;
  });
  for (const change of [
    'update lp_commitments set max_commitment = 1000, active_commitment = 1000',
    `update contributions set purposes = '[{"title": "Investments", "kind": "investments", "amount": "100"}]'`,
    `update distributions set principal = 40`,
  ]) {
    await database.query(`${change} where manager_id = $1`, [tenant.managerId]);
  }
  const manager = (fields: Partial<UserActor> = {}) =>
    testActor({ type: 'manager', managerId: tenant.managerId, ...fields });
  const as = <Result>(work: (session: Session) => Promise<Result>, actor = manager()) =>
    database.store.as(actor, work, { now, isKeyed: true });
  const idsOf = async (table: string) =>
    (
      await database.query<{ id: string }>(`select id from ${table} where manager_id = $1 order by code`, [
        tenant.managerId,
      ])
    ).map(({ id }) => id);
  const { id: account } = await as((session) =>
    createBankAccount(
      session,
      bankAccountCreateSchema.parse({
        title: 'Pay-in account',
        bankName: 'First Tidewater',
        accountNumber: ACCOUNT_NUMBER,
        currency: 'USD',
        openingDate: '2026-04-01',
        openingBalance: 1000,
      }),
    ),
  );
  return {
    tenant,
    account,
    calls: await idsOf('contributions'),
    distributions: await idsOf('distributions'),
    manager,
    as,
    /** Imports a statement. */
    send: (text: string, store = database.store) =>
      store.as(
        manager(),
        (session) =>
          importStatements(session, {
            file: { id: fileId, name: 'statement.sta' },
            bytes: new TextEncoder().encode(text),
          }),
        { now, isKeyed: true },
      ),
    /** Records a payment by hand, which came in unless `more` says otherwise. */
    record: (amount: number | string, bookedOn: string, more: object = {}) =>
      as((session) =>
        createPayment(
          session,
          paymentCreateSchema.parse({ bankAccount: account, direction: 'in', amount, bookedOn, ...more }),
        ),
      ),
    /** Allocates a part of a payment as a person does who has just read it. */
    allocate: (id: string, amount: DecimalText, document: string, kind: ObligationKind = 'contribution') =>
      as(async (session) => {
        const { version } = await getPayment(session, id);
        return allocatePayment(session, id, {
          version,
          allocations: [{ kind, document, amount: { sum: amount, currency: null } }],
        });
      }),
    look: (month?: string, actor = manager()) => as((session) => reconcile(session, account, { month }), actor),
    close: (month: string) => as((session) => closeMonth(session, account, { month })),
  };
}

export type CashLedger = Awaited<ReturnType<typeof openCashLedger>>;
