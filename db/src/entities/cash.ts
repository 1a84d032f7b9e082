import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { DifferenceReason, Direction, ObligationKind, OwnItem } from '@tapeline/domain/cash/labels.ts';
import type { CsvMapping } from '@tapeline/domain/cash/statements/csv-mapping.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

/** One account of a manager or of one of its funds. */
export const BankAccount = defineEntity({
  name: 'BankAccount',
  tableName: 'bank_accounts',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    fundId: p.text().nullable(),
    title: p.text(),
    bankName: p.text(),
    /** IBAN or another number. */
    accountNumber: p.text(),
    bic: p.text().nullable(),
    currency: p.text(),
    openingBalance: p.decimal().$type<DecimalText & Opt>().default('0'),
    openingDate: p.date(),
    /** The most that a payment may be short and still be proposed. */
    tolerance: p.decimal().$type<DecimalText & Opt>().default('50'),
    /** How its bank writes CSV files, once somebody has said so. */
    csvMapping: p.json<CsvMapping>().nullable(),
  },
});
export type BankAccount = InferEntity<typeof BankAccount>;

/** With whom a payment or an obligation is: at most one of them. */
const party = {
  investorLPId: p.text().fieldName('investor_lp_id').nullable(),
  investorFundId: p.text().nullable(),
  companyId: p.text().nullable(),
};

/** What came in or went out, as the bank says or a person recorded. */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    bankAccountId: p.text(),
    /** Of the account; null if it has none. */
    fundId: p.text().nullable(),
    direction: p.text().$type<Direction>(),
    amount: p.decimal().$type<DecimalText>(),
    currency: p.text(),
    bookedOn: p.date(),
    valuedOn: p.date(),
    counterpartyName: p.text().nullable(),
    counterpartyAccount: p.text().nullable(),
    remittance: p.text().$type<string & Opt>().default(''),
    charges: p.decimal().$type<DecimalText>().nullable(),
    bankReference: p.text().nullable(),
    /** Of the statement that it came from; null if a person recorded it. */
    statementLine: p.text().nullable(),
    ...party,
    /** Why it is with no party; null for all others. */
    ownItem: p.text().$type<OwnItem>().nullable(),
    /** When the book counts it as such, where the month of the payment was closed before; otherwise null. */
    ownPostedOn: p.date().nullable(),
    note: p.text().nullable(),
    removalReason: p.text().nullable(),
  },
});
export type Payment = InferEntity<typeof Payment>;

/** What is said about an obligation, which is a contribution, distribution or draw. Triggers fill in whose it is. */
const ofObligation = {
  id: p.text().primary(),
  managerId: p.text(),
  obligationKind: p.text().$type<ObligationKind>(),
  documentId: p.text(),
  currency: p.text(),
  amount: p.decimal().$type<DecimalText>(),
  fundId: p.text().nullable(),
  ...party,
  created: p.json<ChangedBy>(),
  createdAt: p.datetime(),
  /** Who took it back; null while it counts. */
  reversed: p.json<ChangedBy>().nullable(),
  reversedAt: p.datetime().nullable(),
  reversalReason: p.text().nullable(),
};

/** A part of a payment that pays an obligation. */
export const Allocation = defineEntity({
  name: 'Allocation',
  tableName: 'allocations',
  properties: {
    ...ofObligation,
    paymentId: p.text(),
    /** The value date of the payment. */
    paidOn: p.date(),
    /** When the book counts it, and its reversal, where the month of the payment was closed before; otherwise null. */
    postedOn: p.date().nullable(),
    reversedOn: p.date().nullable(),
  },
});

/** What will not be paid of an obligation, with the reason. */
export const ObligationDifference = defineEntity({
  name: 'ObligationDifference',
  tableName: 'obligation_differences',
  properties: {
    ...ofObligation,
    reason: p.text().$type<DifferenceReason>(),
    note: p.text().nullable(),
  },
});

/** A month of an account that is closed: the balances of its last day, and who closed it. */
export const AccountClosing = defineEntity({
  name: 'AccountClosing',
  tableName: 'account_closings',
  properties: {
    bankAccountId: p.text().primary(),
    /** Its first day. */
    month: p.date().primary(),
    managerId: p.text(),
    fundId: p.text().nullable(),
    bankBalance: p.decimal().$type<DecimalText>(),
    bookBalance: p.decimal().$type<DecimalText>(),
    closed: p.json<ChangedBy>(),
    closedAt: p.datetime(),
  },
});
