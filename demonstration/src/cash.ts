import { createBankAccount } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { returnCredits } from '@tapeline/db/operations/cash/credit-returns.ts';
import { closeWithDifference, listObligations, type Obligation } from '@tapeline/db/operations/cash/obligations.ts';
import { createPayment, type PaymentView, reverseAllocation } from '@tapeline/db/operations/cash/payments.ts';
import { dueCalls, remindOfCalls, sendReminder } from '@tapeline/db/operations/cash/reminders.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { REMINDER_KINDS, reminderDay } from '@tapeline/domain/cash/reminders.ts';
import { addDays, calendarDateOf } from '@tapeline/domain/dates/calendar-date.ts';
import { add, divide, isZero, subtract } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { asManager } from './acting.ts';
import { CREDIT_FUND, EUROPEAN_FUND } from './names.ts';

/** What a bank on the way kept of a payment. */
const CHARGES = '25';
const OVERPAID = '1000';

/** How the investors of a fund's latest call that is due paid it, in their order. All others paid on time and in full. */
const STORIES = ['unpaid', 'half', 'charges', 'overpaid', 'reversed'] as const;

/** An account for each fund, and one of the manager for what borrowers draw, in each currency. */
async function addAccounts(session: Session, owed: readonly Obligation[]): Promise<ReadonlyMap<string, string>> {
  const accounts = new Map<string, string>();
  for (const { fund, currency } of owed) {
    const key = `${fund?.id ?? ''}/${currency}`;
    if (accounts.has(key)) continue;
    const number = String(4471 + accounts.size * 649).padStart(4, '0');
    const { id } = await asManager(session, `${yearAgo(session)}T08:40:00.000Z`, (acting) =>
      createBankAccount(
        acting,
        bankAccountCreateSchema.parse({
          title: fund ? `${fund.title}, pay-in` : `Lending, ${currency}`,
          fund: fund?.id,
          bankName: 'First Tidewater',
          accountNumber: `US64 0210 0002 1000 ${number}`,
          BIC: 'FTWRUS33',
          currency,
          openingDate: yearAgo(acting),
          openingBalance: fund ? 250_000 : 400_000_000,
        }),
      ),
    );
    accounts.set(key, id);
  }
  return accounts;
}

const yearAgo = ({ now }: Session): string => addDays(calendarDateOf(now), -365 * 6);

/** A payment of an obligation some days before it is due. */
function pay(
  session: Session,
  account: string,
  owed: Obligation,
  paid: { amount: string; part?: string; charges?: string; daysEarly: number },
): Promise<PaymentView> {
  const bookedOn = addDays(owed.dueDate, -paid.daysEarly);
  const part = paid.part ?? paid.amount;
  const body = paymentCreateSchema.parse({
    bankAccount: account,
    direction: owed.direction,
    amount: paid.amount,
    bookedOn,
    counterpartyName: owed.party?.title?.toUpperCase(),
    remittance: owed.direction === 'in' ? owed.reference : `Payment ${owed.reference}`,
    charges: paid.charges,
    party: owed.party ? { kind: owed.party.kind, id: owed.party.id } : null,
    allocations: [{ kind: owed.kind, document: owed.documentId, amount: part }],
  });
  return asManager(session, `${bookedOn}T15:05:00.000Z`, (acting) => createPayment(acting, body));
}

/** Pays back what an investor paid too much. */
async function giveBack(
  session: Session,
  account: string,
  { dueDate, party }: Obligation,
  { id: payment }: PaymentView,
) {
  const body = paymentCreateSchema.parse({
    bankAccount: account,
    direction: 'out',
    amount: OVERPAID,
    bookedOn: dueDate,
    counterpartyName: party?.title?.toUpperCase(),
    remittance: 'Return of an overpayment',
    party: party && { kind: party.kind, id: party.id },
  });
  await asManager(session, `${dueDate}T15:40:00.000Z`, async (acting) => {
    const { id, version } = await createPayment(acting, body);
    const returns = [{ payment, amount: { sum: OVERPAID, currency: null } }];
    await returnCredits(acting, id, { version, returns });
  });
}

async function tell(session: Session, account: string, owed: Obligation, story: (typeof STORIES)[number]) {
  const { amount, currency, documentId } = owed;
  if (story === 'half') {
    await pay(session, account, owed, { amount: divide(amount, '2', minorUnitDigits(currency)), daysEarly: 0 });
  } else if (story === 'charges') {
    await pay(session, account, owed, { amount: subtract(amount, CHARGES), charges: CHARGES, daysEarly: 1 });
    await asManager(session, `${owed.dueDate}T16:20:00.000Z`, (acting) =>
      closeWithDifference(acting, documentId, {
        currency,
        amount: { sum: CHARGES, currency: null },
        reason: 'bankCharges',
        note: 'The correspondent bank kept them',
      }),
    );
  } else if (story === 'overpaid') {
    const paid = await pay(session, account, owed, { amount: add(amount, OVERPAID), part: amount, daysEarly: 2 });
    // One fund has given it back, and of the other it is a credit.
    if (owed.fund?.title === EUROPEAN_FUND) await giveBack(session, account, owed, paid);
  } else if (story === 'reversed') {
    const payment = await pay(session, account, owed, { amount, daysEarly: 1 });
    const reason = 'It was for another fund of the same sponsor';
    const allocation = payment.allocations[0]!.id;
    await asManager(session, `${owed.dueDate}T17:10:00.000Z`, (acting) =>
      reverseAllocation(acting, payment.id, { allocation, reason }),
    );
  }
}

/** Payments that a person has to match: one that names the call, one of a rest, and one of a stranger. */
async function addUnmatched(session: Session, account: string, unpaid: Obligation, half: Obligation) {
  const today = session.now.toISOString();
  const digits = minorUnitDigits(unpaid.currency);
  const payments = [
    {
      amount: unpaid.amount,
      counterpartyName: unpaid.party?.title?.toUpperCase().slice(0, 35),
      counterpartyAccount: 'GB29 NWBK 6016 1331 9268 19',
      remittance: `CAPITAL CALL ${unpaid.number}`,
    },
    {
      amount: subtract(half.amount, divide(half.amount, '2', digits)),
      counterpartyName: half.party?.title?.toUpperCase().slice(0, 35),
      remittance: `Remainder of ${half.reference.toLowerCase().replaceAll('-', ' ')}`,
    },
    { amount: '4990', counterpartyName: 'H WHITLOCK AND SONS', remittance: '20261102-77' },
  ];
  for (const payment of payments) {
    const body = paymentCreateSchema.parse({
      bankAccount: account,
      direction: 'in',
      bookedOn: today.slice(0, 10),
      ...payment,
    });
    await asManager(session, today, (acting) => createPayment(acting, body));
  }
}

/** The investor was reminded of a call that it did not pay as its fund does, and then by hand. */
async function remindOf(session: Session, { documentId, dueDate, currency }: Obligation): Promise<void> {
  const today = todayOf(session);
  for (const kind of REMINDER_KINDS) {
    const day = reminderDay(kind, dueDate);
    if (day <= dueDate || day >= today) continue;
    const at = { ...session, now: new Date(`${day}T06:00:00.000Z`) };
    const due = await dueCalls(at, { after: '', limit: 10_000 });
    await remindOfCalls(
      at,
      due.filter((id) => id === documentId),
    );
  }
  const yesterday = addDays(today, -1);
  if (yesterday > dueDate)
    await asManager(session, `${yesterday}T09:12:00.000Z`, (acting) => sendReminder(acting, documentId, currency));
  await session.query(
    `update outbox set attempts = 1, status = 'Sent', sent_at = created_at + interval '40 seconds'
     where kind = 'callDue' and document_id = $1 and status = 'Queued' and created_at < $2`,
    [documentId, today],
  );
}

/**
 * Bank accounts, and what was paid of everything that is due by now. Of the latest call of two funds, one investor did not
 * pay, others paid half, less the charges of a bank, or too much, and one payment was allocated by mistake. One of the funds
 * has returned the overpayment. Three payments wait for a person to match them. The investor that did not pay was reminded.
 */
export async function seedCash(session: Session): Promise<void> {
  const now = session.now.toISOString();
  const today = now.slice(0, 10);
  const { obligations } = await asManager(session, now, (acting) => listObligations(acting, { isOpen: true }));
  const due = obligations.filter(({ dueDate }) => dueDate < today);
  const accounts = await addAccounts(session, due);
  const latest = new Map(
    due.flatMap(({ kind, fund, activityId }) =>
      kind === 'contribution' && fund && [CREDIT_FUND, EUROPEAN_FUND].includes(fund.title ?? '')
        ? [[fund.id, activityId] as const]
        : [],
    ),
  );
  // Payment runs pay the latest distribution of each fund.
  const toRun = new Map(
    due.flatMap(({ kind, fund, activityId }) =>
      kind === 'distribution' && fund ? [[fund.id, activityId] as const] : [],
    ),
  );
  // The borrower has paid a half of its latest invoice that is due.
  const latestInvoice = due.findLast(({ kind }) => kind === 'invoice');
  const told = new Map<string, number>();
  for (const [index, owed] of due.entries()) {
    if (owed.kind === 'distribution' && toRun.get(owed.fund?.id ?? '') === owed.activityId) continue;
    const account = accounts.get(`${owed.fund?.id ?? ''}/${owed.currency}`)!;
    const isTold = owed.fund && latest.get(owed.fund.id) === owed.activityId;
    const at = told.get(owed.activityId ?? '') ?? 0;
    const story = isTold ? STORIES[at] : undefined;
    if (isTold) told.set(owed.activityId ?? '', at + 1);
    if (owed === latestInvoice) await tell(session, account, owed, 'half');
    else if (story) await tell(session, account, owed, story);
    else if (!isZero(owed.open)) await pay(session, account, owed, { amount: owed.open, daysEarly: index % 3 });
  }
  const [unpaid, half] = due.filter(
    ({ fund, activityId }) => fund?.title === CREDIT_FUND && latest.get(fund.id) === activityId,
  );
  const account = unpaid && accounts.get(`${unpaid.fund?.id ?? ''}/${unpaid.currency}`);
  if (unpaid && half && account) await addUnmatched(session, account, unpaid, half);
  if (unpaid) await remindOf(session, unpaid);
}
