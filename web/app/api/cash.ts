import {
  BANK_ACCOUNTS,
  type BankAccountView,
  createBankAccount,
  getBankAccount,
  listBankAccounts,
  updateBankAccount,
} from '@tapeline/db/operations/cash/bank-accounts.ts';
import { returnCredits } from '@tapeline/db/operations/cash/credit-returns.ts';
import {
  confirmMatches,
  type PaymentSuggestion,
  recordPayment,
  suggestionsOfPayment,
} from '@tapeline/db/operations/cash/match-payments.ts';
import {
  closeWithDifference,
  listObligations,
  type Obligation,
  reverseDifference,
} from '@tapeline/db/operations/cash/obligations.ts';
import { setOwnItems } from '@tapeline/db/operations/cash/own-items.ts';
import {
  allocatePayment,
  getPayment,
  listPayments,
  PAYMENTS,
  type PaymentView,
  removePayments,
  reverseAllocation,
  updatePayment,
} from '@tapeline/db/operations/cash/payments.ts';
import { closeMonth, type Reconciliation, reconcile } from '@tapeline/db/operations/cash/reconciliation.ts';
import { sendReminder } from '@tapeline/db/operations/cash/reminders.ts';
import {
  allocateSchema,
  bankAccountCreateSchema,
  bankAccountSchema,
  bankAccountUpdateSchema,
  creditReturnSchema,
  differenceCreateSchema,
  differenceReversalSchema,
  obligationQuerySchema,
  obligationSchema,
  paymentCreateSchema,
  paymentRemovalSchema,
  paymentSchema,
  paymentUpdateSchema,
  reminderCreateSchema,
  reversalSchema,
} from '@tapeline/domain/cash/cash.schema.ts';
import { matchesSchema, matchSuggestionSchema, ownItemsSchema } from '@tapeline/domain/cash/match.schema.ts';
import {
  closeMonthSchema,
  reconciliationQuerySchema,
  reconciliationSchema,
} from '@tapeline/domain/cash/reconciliation.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { z } from 'zod';
import { inCurrency } from './capital-bodies.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { stepsOf } from './steps.ts';

const toAccount = (account: BankAccountView) => {
  const { currency } = account;
  return {
    ...baseOf(account),
    title: account.title,
    bankName: account.bankName,
    accountNumber: account.accountNumber,
    BIC: account.bic ?? null,
    currency,
    fund: account.fundId ?? null,
    openingDate: account.openingDate,
    openingBalance: inCurrency(account.openingBalance, currency),
    tolerance: inCurrency(account.tolerance, currency),
    balance: inCurrency(account.balance, currency),
    statedTo: account.statedTo,
  };
};

const toPayment = (payment: PaymentView) => {
  const amount = (sum: string) => inCurrency(sum, payment.currency);
  return {
    ...baseOf(payment),
    bankAccount: payment.bankAccountId,
    fund: payment.fundId ?? null,
    direction: payment.direction,
    amount: amount(payment.amount),
    bookedOn: payment.bookedOn,
    valuedOn: payment.valuedOn,
    counterpartyName: payment.counterpartyName ?? null,
    counterpartyAccount: payment.counterpartyAccount ?? null,
    remittance: payment.remittance,
    charges: payment.charges ? amount(payment.charges) : null,
    bankReference: payment.bankReference ?? null,
    statementLine: payment.statementLine ?? null,
    party: payment.party,
    ownItem: payment.ownItem ?? null,
    note: payment.note ?? null,
    removalReason: payment.removalReason ?? null,
    allocated: amount(payment.allocated),
    credit: amount(payment.credit),
    allocations: payment.allocations.map((one) => ({
      id: one.id,
      kind: one.kind,
      document: one.documentId,
      number: one.number,
      party: one.party,
      amount: amount(one.amount),
      createdAt: one.createdAt,
      reversedAt: one.reversedAt,
      reversalReason: one.reversalReason,
    })),
  };
};

const toObligation = (one: Obligation) => {
  const amount = (sum: string) => inCurrency(sum, one.currency);
  return {
    kind: one.kind,
    document: one.documentId,
    ...pick(one, 'direction', 'fund', 'facility', 'party'),
    activity: one.activityId,
    number: one.number,
    reference: one.reference,
    dueDate: one.dueDate,
    amount: amount(one.amount),
    netted: amount(one.netted),
    allocated: amount(one.allocated),
    difference: amount(one.difference),
    open: amount(one.open),
    paidOn: one.paidOn,
    state: one.state,
    daysLate: one.daysLate,
    differences: one.differences.map((difference) => ({ ...difference, amount: amount(difference.amount) })),
  };
};

const toSuggestion = (suggestion: PaymentSuggestion, currency: string) => ({
  ...suggestion,
  together: [...suggestion.together],
  allocations: suggestion.allocations.map(({ obligation, amount }) => ({
    obligation: toObligation(obligation),
    amount: inCurrency(amount, currency),
  })),
  short: inCurrency(suggestion.short, currency),
  rest: inCurrency(suggestion.rest, currency),
});

const toReconciliation = ({ account, closings, items, ...found }: Reconciliation) => {
  const amount = (sum: string) => inCurrency(sum, account.currency);
  return {
    bankAccount: account.id,
    month: found.month,
    days: found.days.map(({ day, bank, book, open, difference }) => ({
      day,
      bank: bank === null ? null : amount(bank),
      book: amount(book),
      open: amount(open),
      difference: difference === null ? null : amount(difference),
    })),
    openItems: items.map(({ paymentId, amount: sum, ...item }) => ({
      payment: paymentId,
      ...item,
      amount: amount(sum),
    })),
    openItemCount: found.itemCount,
    closedUntil: found.closedUntil,
    closings: closings.map(({ bankBalance, bookBalance, ...closing }) => ({
      ...closing,
      bank: amount(bankBalance),
      book: amount(bookBalance),
    })),
    problem: found.problem,
  };
};

const OBLIGATIONS = '/crud/obligations';
const bankAccounts = ofCollection('bankAccounts');
const payments = ofCollection('payments');

const stepOfPayment = stepsOf({
  path: `${payments.path}/{id}`,
  access: payments.write,
  params: idParamsSchema,
  response: paymentSchema,
  toBody: toPayment,
});
const stepOfObligation = stepsOf({
  path: `${OBLIGATIONS}/{id}`,
  access: payments.write,
  params: idParamsSchema,
  response: obligationSchema,
  toBody: toObligation,
});

export const cashEndpoints: readonly Endpoint[] = [
  ...resource({
    ...bankAccounts,
    response: bankAccountSchema,
    toBody: toAccount,
    list: { listable: BANK_ACCOUNTS, load: listBankAccounts },
    get: getBankAccount,
    create: {
      body: bankAccountCreateSchema,
      run: createBankAccount,
      example: {
        title: 'Pay-in account',
        bankName: 'First Tidewater',
        accountNumber: 'US64 0210 0002 1000 4471',
        currency: 'USD',
        openingDate: '2026-01-01',
        openingBalance: 250000,
      },
    },
    update: { body: bankAccountUpdateSchema, run: updateBankAccount },
  }),
  endpoint({
    method: 'GET',
    path: `${bankAccounts.path}/{id}/reconciliation`,
    access: bankAccounts.read,
    summary: 'Compare the balance of the bank with the book, day by day of a month, with the open items between them',
    params: idParamsSchema,
    query: reconciliationQuerySchema,
    response: reconciliationSchema,
    handle: ({ params, query, db }) =>
      db(async (session) => ({ body: toReconciliation(await reconcile(session, params.id, query)) })),
  }),
  endpoint({
    method: 'POST',
    path: `${bankAccounts.path}/{id}/closings`,
    access: bankAccounts.write,
    summary: 'Close a month of an account, after which its payments stay as they are',
    params: idParamsSchema,
    body: closeMonthSchema,
    example: { body: { month: '2026-10' } },
    response: reconciliationSchema,
    handle: ({ params, body, db }) =>
      db(async (session) => ({ body: toReconciliation(await closeMonth(session, params.id, body)) })),
  }),
  ...resource({
    ...payments,
    response: paymentSchema,
    toBody: toPayment,
    list: { listable: PAYMENTS, load: listPayments },
    get: getPayment,
    create: {
      body: paymentCreateSchema,
      run: recordPayment,
      summary: 'Record a payment with what it pays, or a list of payments',
      example: {
        bankAccount: '65f000000000000000000001',
        direction: 'in',
        amount: 156000,
        bookedOn: '2026-11-04',
        counterpartyName: 'Bayani Cooperative Insurance',
        remittance: 'HCF2-C8-002-4',
        party: { kind: 'LP', id: '65f000000000000000000002' },
        allocations: [{ kind: 'contribution', document: '65f000000000000000000003', amount: 156000 }],
      },
    },
    update: { body: paymentUpdateSchema, run: updatePayment, summary: 'Update a payment; what is allocated stays' },
    updateMany: { item: paymentRemovalSchema, run: removePayments },
  }),
  stepOfPayment({
    name: 'allocations',
    summary: 'Allocate parts of a payment to what they pay. What is left is a credit',
    body: allocateSchema,
    run: (session, { id }, body) => allocatePayment(session, id, body),
  }),
  stepOfPayment({
    name: 'returns',
    summary:
      'Give back credits of the party with a payment that went the other way, such as an overpayment that is paid back. Reverse it as an allocation',
    body: creditReturnSchema,
    example: { version: 1, returns: [{ payment: '65f000000000000000000004', amount: 1000 }] },
    run: (session, { id }, body) => returnCredits(session, id, body),
  }),
  endpoint({
    method: 'GET',
    path: `${payments.path}/{id}/suggestions`,
    access: payments.read,
    summary: 'List what a payment probably pays, with the reason and the confidence',
    params: idParamsSchema,
    response: z.array(matchSuggestionSchema),
    handle: ({ params, db }) =>
      db(async (session) => {
        const suggestions = await suggestionsOfPayment(session, params.id);
        return {
          body: suggestions.map((one) => toSuggestion(one, one.allocations[0]?.obligation.currency ?? '')),
        };
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${payments.path}/matches`,
    access: payments.write,
    summary: 'Confirm what several payments pay: all of them or none',
    body: matchesSchema,
    example: {
      body: [
        {
          id: '65f000000000000000000004',
          version: 1,
          allocations: [{ kind: 'contribution', document: '65f000000000000000000003', amount: 156000 }],
        },
      ],
    },
    response: z.array(paymentSchema),
    handle: ({ body, db }) => db(async (session) => ({ body: (await confirmMatches(session, body)).map(toPayment) })),
  }),
  endpoint({
    method: 'PUT',
    path: `${payments.path}/ownItems`,
    access: payments.write,
    summary:
      'Mark payments that are not for an investor or a borrower, such as bank fees, or take that back: all of them or none',
    body: ownItemsSchema,
    example: { body: [{ id: '65f000000000000000000004', version: 1, ownItem: 'fee' }] },
    response: z.array(paymentSchema),
    handle: ({ body, db }) => db(async (session) => ({ body: (await setOwnItems(session, body)).map(toPayment) })),
  }),
  stepOfPayment({
    name: 'reversals',
    summary: 'Reverse an allocation of a payment, with a reason',
    body: reversalSchema,
    run: (session, { id }, body) => reverseAllocation(session, id, body),
  }),
  endpoint({
    method: 'GET',
    path: OBLIGATIONS,
    access: 'signed-in',
    summary: 'List what is owed and due: parts of capital calls and distributions, and approved draws',
    query: obligationQuerySchema,
    response: z.array(obligationSchema),
    handle: ({ query, read }) =>
      read(async (session) => {
        const { open, document, ...rest } = query;
        const { obligations, total } = await listObligations(session, {
          ...rest,
          ...(document ? { documents: [document] } : {}),
          ...(open ? { isOpen: open === 'true' } : {}),
        });
        return { body: obligations.map(toObligation), count: total };
      }),
  }),
  stepOfObligation({
    name: 'reminders',
    summary: 'Remind the users and contacts of the investor of what is open of its call, once a day at most',
    body: reminderCreateSchema,
    run: (session, { id }, body) => sendReminder(session, id, body.currency),
  }),
  stepOfObligation({
    name: 'differences',
    summary: 'Close what is open, or a part of it, although it will not be paid, with a reason',
    body: differenceCreateSchema,
    run: (session, { id }, body) => closeWithDifference(session, id, body),
  }),
  stepOfObligation({
    name: 'reversals',
    summary: 'Open again what was closed with a difference, with a reason',
    body: differenceReversalSchema,
    run: (session, { id }, body) => reverseDifference(session, id, body),
  }),
];
