import { accountFits } from '@tapeline/domain/cash/account-rule.ts';
import type {
  Allocate,
  AllocationCreate,
  PaymentCreate,
  PaymentRemoval,
  PaymentUpdate,
} from '@tapeline/domain/cash/cash.schema.ts';
import type { AllocationKind, Direction, ObligationKind } from '@tapeline/domain/cash/labels.ts';
import { atItem, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { add, compare, type DecimalText, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { type BankAccount, Payment } from '../../entities/cash.ts';
import { Fund } from '../../entities/funds.ts';
import { Company, LP } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { recordInvoicePayments } from '../invoices/invoice-payments.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata, touchedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { latestToday } from '../warnings.ts';
import { BANK_ACCOUNTS } from './bank-accounts.ts';
import { lockCash, pairOf, reverseAllocations } from './cash-locks.ts';
import { listObligations, type Obligation } from './obligations.ts';
import { type CashParty, partyColumns, partySql } from './parties.ts';

export const PAYMENTS = listOf('payments', { LP: 't.investor_lp_id' }, { order: 't.booked_on desc, t.id desc' });

/** A part of a payment that pays, or paid, an obligation. */
export interface AllocationView {
  readonly id: string;
  readonly paymentId: string;
  readonly kind: AllocationKind;
  /** Of a returned credit, the other payment. */
  readonly documentId: string;
  readonly activityId: string | null;
  readonly number: string | null;
  readonly party: CashParty | null;
  readonly amount: DecimalText;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly reversedAt: string | null;
  readonly reversalReason: string | null;
}

export type PaymentView = Payment & {
  readonly accountTitle: string;
  readonly party: CashParty | null;
  readonly allocations: readonly AllocationView[];
  readonly allocated: DecimalText;
  /** What is left of it: a credit of the party. */
  readonly credit: DecimalText;
};

const SHOWN = `
  select p.id, ${partySql('p')} as party, (select title from bank_accounts where id = p.bank_account_id) as "accountTitle"
  from page p`;
const ALLOCATED = `
  select a.id, a.payment_id as "paymentId", a.obligation_kind as kind, a.document_id as "documentId", ${partySql('a')} as party,
    coalesce(c.activity_id, d.activity_id) as "activityId", coalesce(c.call_number, d.call_number, w.code::text, v.number::text, o.code::text) as number,
    a.amount::text, a.created_at as "createdAt", history_author(a.created -> 'entity') as "createdBy", a.reversed_at as "reversedAt", a.reversal_reason as "reversalReason"
  from page join allocations a on a.payment_id = page.id left join contributions c on c.id = a.document_id
    left join distributions d on d.id = a.document_id left join draws w on w.id = a.document_id
    left join invoices v on v.id = a.document_id left join payments o on o.id = a.document_id
  order by a.created_at, a.id`;

type ShownRow = Pick<PaymentView, 'id' | 'party' | 'accountTitle'>;
type AllocationRow = Pick<AllocationView, keyof AllocationView>;

const VIEWS = viewsOf(PAYMENTS, [SHOWN, ALLOCATED], (payments, [rows = [], allocated = []]): PaymentView[] => {
  const shown = new Map((rows as ShownRow[]).map((row) => [row.id, row]));
  const allocations = Map.groupBy(allocated as AllocationRow[], ({ paymentId }) => paymentId);
  return payments.map((payment) => {
    const own = allocations.get(payment.id) ?? [];
    const used = sum(own.filter(({ reversedAt }) => reversedAt === null).map(({ amount }) => amount));
    return {
      ...payment,
      party: shown.get(payment.id)?.party ?? null,
      accountTitle: shown.get(payment.id)?.accountTitle ?? '',
      allocations: own,
      allocated: used,
      credit: payment.status === 'Removed' || payment.ownItem ? '0' : subtract(payment.amount, used),
    };
  });
});
export const listPayments = VIEWS.list;
export const viewPayments = VIEWS.all;

/** @throws Refusal notFound */
export const getPayment = async (session: Session, id: string): Promise<PaymentView> =>
  VIEWS.one(session, await getDocument(session, PAYMENTS, id));

const PARTIES = { LP, fund: Fund, company: Company } as const;

/** What a person enters of a payment. @throws Refusal badRequest with a flag at each problem */
async function fieldsOf(session: Session, account: BankAccount, body: PaymentCreate | PaymentUpdate) {
  const { currency, managerId } = account;
  const flags: Record<string, never> = {};
  const refuse = (key: string, problem: ReturnType<typeof documentSumProblem>): void => {
    if (problem) Object.assign(flags, { [key]: problem });
  };
  refuse('amount', documentSumProblem(currency, body.amount));
  refuse('charges', documentSumProblem(currency, body.charges));
  if (body.bookedOn > latestToday(session.now)) refuse('bookedOn', 'must not be in the future');
  const { party } = body;
  const parties = party ? PARTIES[party.kind] : null;
  if (
    party &&
    parties &&
    (await session.em.count<{ id: string; managerId: string }>(parties as never, { id: party.id, managerId })) === 0
  )
    refuse('party', 'is not a party of this manager');
  if (Object.keys(flags).length > 0) throw new Refusal('badRequest', undefined, { flags });
  return {
    bankAccountId: account.id,
    fundId: account.fundId ?? null,
    direction: body.direction,
    amount: body.amount.sum,
    currency,
    bookedOn: body.bookedOn,
    valuedOn: body.valuedOn ?? body.bookedOn,
    counterpartyName: body.counterpartyName || null,
    counterpartyAccount: body.counterpartyAccount || null,
    remittance: body.remittance || '',
    charges: body.charges?.sum ?? null,
    bankReference: body.bankReference || null,
    ...partyColumns(party),
    note: body.note || null,
  };
}

/** An Active account of the actor. @throws Refusal badRequest */
async function accountOf(session: Session, id: string): Promise<BankAccount> {
  const account = await getDocument(session, BANK_ACCOUNTS, id).catch(() => null);
  if (account) return account;
  throw new Refusal('badRequest', 'This bank account does not exist', {
    flags: { bankAccount: 'is not a bank account' },
  });
}

/**
 * Records a payment by hand, and allocates it.
 * @throws Refusal forbidden without payments/write; badRequest for an unknown account or party, a date in the future, the same sent
 *   twice; as `allocatePayment` does
 */
export async function createPayment(session: Session, body: PaymentCreate): Promise<PaymentView> {
  requirePermission(session, 'payments/write');
  const account = await accountOf(session, body.bankAccount);
  const fields = await fieldsOf(session, account, body);
  await refuseSentTwice(session, { noun: 'payment', flag: 'amount', sent: body });
  const payment = session.em.create(Payment, {
    id: newId(session.now),
    managerId: account.managerId,
    ...fields,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  if (body.allocations.length > 0) {
    await lockCash(session, { payments: [], documents: body.allocations.map(({ document }) => document) });
    await allocate(session, [{ payment, parts: body.allocations }]);
  }
  return VIEWS.one(session, payment);
}

/**
 * Changes a payment that a person recorded. Of one that a bank reported, only the party and the note change.
 * @throws Refusal notFound; as `createPayment` does; badRequest if the version is stale, it is removed, or what is allocated changes
 */
export async function updatePayment(
  session: Session,
  { id, body }: { id: string; body: PaymentUpdate },
): Promise<PaymentView> {
  requirePermission(session, 'payments/write');
  const [payment] = await lockPayments(session, [{ id, version: body.version }]);
  if (!payment) throw new Refusal('notFound');
  const fields = await fieldsOf(session, await accountOf(session, body.bankAccount), body);
  const { note, investorLPId, investorFundId, companyId } = fields;
  Object.assign(payment, payment.statementLine ? { note, investorLPId, investorFundId, companyId } : fields, {
    metadata: changedMetadata(session, payment.metadata),
  });
  await session.em.flush();
  return VIEWS.one(session, payment);
}

/**
 * Payments that nobody else changes until this transaction ends, with the obligations that a command pays with them.
 * @throws Refusal notFound; badRequest if one is stale or removed
 */
export async function lockPayments(
  session: Session,
  wanted: readonly { readonly id: string; readonly version: number }[],
  documents: readonly string[] = [],
): Promise<Payment[]> {
  const ids = wanted.map(({ id }) => id);
  await lockCash(session, { payments: ids, documents });
  const found = await session.em.find(Payment, { id: { $in: ids } }, { refresh: true });
  const byId = new Map(found.map((payment) => [payment.id, payment]));
  return eachOfSeveral(wanted, ({ id, version }) => {
    const payment = byId.get(id);
    if (!payment) throw new Refusal('notFound');
    if (payment.version !== version) throw staleRefusal(payment, version);
    if (payment.status === 'Removed') throw new Refusal('badRequest', 'This payment is removed');
    return payment;
  });
}

/** Does the same with each item. A refusal of one of several names its index. */
export const eachOfSeveral = <Item, Result>(items: readonly Item[], work: (item: Item) => Result): Result[] =>
  items.map((item, index) => {
    try {
      return work(item);
    } catch (error) {
      throw items.length === 1 ? error : atItem(error, index);
    }
  });

/** Removes payments that were recorded by mistake. @throws Refusal as `updatePayment` does; badRequest for one that a bank reported */
export async function removePayments(session: Session, removals: readonly PaymentRemoval[]): Promise<PaymentView[]> {
  requirePermission(session, 'payments/write');
  const payments = await lockPayments(session, removals);
  const reasonOf = new Map(removals.map(({ id, removalReason }) => [id, removalReason]));
  eachOfSeveral(payments, (payment) => {
    if (payment.statementLine) throw new Refusal('badRequest', 'The bank reported this payment, so it stays');
    Object.assign(payment, {
      status: 'Removed',
      removalReason: reasonOf.get(payment.id),
      metadata: changedMetadata(session, payment.metadata),
    });
  });
  await session.em.flush();
  return VIEWS.all(session, payments);
}

/** Unreversed parts of payments, by payment. */
export async function usedOf(session: Session, ids: readonly string[]): Promise<Map<string, DecimalText>> {
  const rows = await session.query<{ id: string; used: DecimalText }>(
    `select payment_id as id, sum(amount)::text as used from allocations
     where payment_id = any ($1) and reversed_at is null group by payment_id`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, used }) => [id, used]));
}

/** What an allocation cannot be; null if it can. Several of one command may pay the same obligation. */
function problemOf(
  payment: Payment,
  obligation: Obligation | undefined,
  amount: DecimalText,
  before: DecimalText,
): { key: string; why: string } | null {
  if (!obligation) return { key: 'document', why: `is not due in ${payment.currency}` };
  if (obligation.direction !== payment.direction)
    return {
      key: 'document',
      why:
        payment.direction === 'in'
          ? 'is owed by us, and this payment came in'
          : 'is owed to us, and this payment went out',
    };
  if (!accountFits(payment.fundId ?? null, obligation.fundIds))
    return { key: 'document', why: 'belongs to another fund than the account of the payment' };
  const open = subtract(obligation.open, before);
  if (compare(amount, open) > 0)
    return {
      key: 'amount',
      why: `must be at most the ${writtenAmount({ sum: open, currency: payment.currency })} that is open`,
    };
  return null;
}

/** Parts of payments that are locked with what they pay. */
interface ToAllocate {
  readonly payment: Payment;
  readonly parts: readonly AllocationCreate[];
}

/** @throws Refusal badRequest with a flag at each problem of the first payment that has one */
async function allocate(session: Session, items: readonly ToAllocate[]): Promise<void> {
  const documents = [...new Set(items.flatMap(({ parts }) => parts.map(({ document }) => document)))];
  const { obligations } = await listObligations(session, { documents });
  const owed = new Map(obligations.map((one) => [`${one.documentId} ${one.currency}`, one]));
  const used = await usedOf(
    session,
    items.map(({ payment }) => payment.id),
  );
  const taken = new Map<string, DecimalText>();
  eachOfSeveral(items, ({ payment, parts }) => {
    const { currency } = payment;
    const flags: Record<string, string> = {};
    for (const [index, { document, kind, amount }] of parts.entries()) {
      const currencyProblem = documentSumProblem(currency, amount);
      const key = `${document} ${currency}`;
      const found = owed.get(key);
      const before = taken.get(key) ?? '0';
      const problem = problemOf(payment, found?.kind === kind ? found : undefined, amount.sum, before);
      if (currencyProblem) Object.assign(flags, { [`allocations.${index}.amount`]: currencyProblem });
      else if (problem) flags[`allocations.${index}.${problem.key}`] = problem.why;
      taken.set(key, add(before, amount.sum));
    }
    const left = subtract(payment.amount, used.get(payment.id) ?? '0');
    if (compare(sum(parts.map(({ amount }) => amount.sum)), left) > 0)
      flags['allocations.0.amount'] ??=
        `must be at most the ${writtenAmount({ sum: left, currency })} that is left of the payment`;
    if (Object.keys(flags).length > 0) throw new Refusal('badRequest', undefined, { flags });
    nameParty(
      payment,
      parts.flatMap(({ document }) => owed.get(`${document} ${currency}`) ?? []),
    );
  });
  await session.em.flush();
  await insertAllocations(
    session,
    items.flatMap(({ payment, parts }) =>
      parts.map(({ kind, document, amount }) => ({ payment: payment.id, kind, document, amount: amount.sum })),
    ),
  );
}

/** A part of a payment that is locked with what it pays. */
export interface NewAllocation {
  readonly payment: string;
  readonly kind: ObligationKind;
  readonly document: string;
  readonly amount: DecimalText;
}

/** What pays an invoice is recorded as a repayment as well. @throws Refusal badRequest if its principal is more than the balance */
export async function insertAllocations(session: Session, allocations: readonly NewAllocation[]): Promise<void> {
  const rows = allocations.map((allocation) => ({ id: newId(session.now), ...allocation }));
  await session.query(
    `insert into allocations (id, payment_id, obligation_kind, document_id, amount) select id, payment, kind, document, amount
     from jsonb_to_recordset($1::jsonb) as row (id text, payment text, kind text, document text, amount numeric)`,
    [JSON.stringify(rows)],
  );
  await recordInvoicePayments(
    session,
    rows.filter(({ kind }) => kind === 'invoice').map(({ id }) => id),
  );
}

/** A payment whose party was not known is with whom it pays, if that is one. */
export function nameParty(payment: Payment, owed: readonly Obligation[]): void {
  const isKnown = payment.investorLPId || payment.investorFundId || payment.companyId;
  const ids = new Set(owed.map(({ party }) => party?.id));
  const party = owed[0]?.party;
  if (!isKnown && ids.size === 1 && party) Object.assign(payment, partyColumns(party));
}

/**
 * Allocates parts of payments to what they pay, all of them or none: never more than is left of a payment, nor more than is
 * open. What remains is a credit.
 * @throws Refusal forbidden without payments/write; notFound; badRequest with a flag at each problem, or if a version is stale,
 *   with the index of the payment if there are several
 */
export async function allocatePayments(
  session: Session,
  commands: readonly (Allocate & { readonly id: string })[],
): Promise<Payment[]> {
  requirePermission(session, 'payments/write');
  const documents = commands.flatMap(({ allocations }) => allocations.map(({ document }) => document));
  const payments = await lockPayments(session, commands, documents);
  await allocate(
    session,
    payments.map((payment, index) => ({ payment, parts: commands[index]!.allocations })),
  );
  for (const payment of payments) payment.metadata = touchedMetadata(session, payment.metadata);
  await session.em.flush();
  return payments;
}

/** Allocates parts of one payment. @throws Refusal as `allocatePayments` does */
export async function allocatePayment(session: Session, id: string, body: Allocate): Promise<PaymentView> {
  return (await viewPayments(session, await allocatePayments(session, [{ ...body, id }])))[0]!;
}

/** Takes back an allocation, of a returned credit with that of the other payment. @throws Refusal forbidden without payments/write; notFound; badRequest if it was already */
export async function reverseAllocation(
  session: Session,
  id: string,
  command: { readonly allocation: string; readonly reason: string },
): Promise<PaymentView> {
  requirePermission(session, 'payments/write');
  await getDocument(session, PAYMENTS, id);
  const known = await session.query('select from allocations where id = $1 and payment_id = $2', [
    command.allocation,
    id,
  ]);
  if (known.length === 0) throw new Refusal('notFound');
  await reverseAllocations(
    session,
    [command.allocation, ...(await pairOf(session, command.allocation))],
    command.reason,
  );
  return VIEWS.one(session, await session.em.findOneOrFail(Payment, { id }, { refresh: true }));
}

/** What is left of payments, by party, direction and currency. */
export interface Credit {
  readonly party: CashParty;
  /** `in`: the party paid it. `out`: it was paid to the party. */
  readonly direction: Direction;
  readonly currency: string;
  readonly amount: DecimalText;
}

/**
 * What is left of the payments of those whom payments are with, by currency and direction, the largest first in each. What
 * came in and what went out are never added up.
 * @param query.party only of this one; `fund` of what its accounts received or paid
 */
export async function listCredits(
  session: ReadSession,
  {
    party,
    direction,
    fund,
  }: { party?: string | undefined; direction?: Direction | undefined; fund?: string | undefined } = {},
): Promise<Credit[]> {
  requirePermission(session, 'payments/read');
  return session.query<Credit>(
    `select ${partySql('p')} as party, p.direction, p.currency, sum(p.left)::text as amount from (
       select p.investor_lp_id, p.investor_fund_id, p.company_id, p.direction, p.currency, p.amount - coalesce((select sum(a.amount)
         from allocations a where a.payment_id = p.id and a.reversed_at is null), 0) as left
       from payments p where p.status = 'Active' and num_nonnulls(p.investor_lp_id, p.investor_fund_id, p.company_id) = 1
         and ($1::text is null or $1 in (p.investor_lp_id, p.investor_fund_id, p.company_id))
         and ($2::text is null or p.direction = $2) and ($3::text is null or p.fund_id = $3)) p
     where p.left > 0 group by p.investor_lp_id, p.investor_fund_id, p.company_id, p.direction, p.currency
     order by p.currency, p.direction, sum(p.left) desc, coalesce(p.investor_lp_id, p.investor_fund_id, p.company_id)`,
    [party ?? null, direction ?? null, fund ?? null],
  );
}
