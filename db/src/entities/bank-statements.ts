import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { StatementFormat } from '@tapeline/domain/cash/bank-statement.ts';
import type { DeliveryOutcome } from '@tapeline/domain/cash/statement-delivery.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

/** A statement of one of our bank accounts, as the bank wrote it. It never changes. */
export const BankStatement = defineEntity({
  name: 'BankStatement',
  tableName: 'bank_statements',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    bankAccountId: p.text(),
    /** Of the account. */
    fundId: p.text().nullable(),
    format: p.text().$type<StatementFormat>(),
    number: p.text(),
    currency: p.text(),
    fromDate: p.date().nullable(),
    toDate: p.date(),
    openingDate: p.date().nullable(),
    openingAmount: p.decimal().$type<DecimalText>().nullable(),
    closingDate: p.date().nullable(),
    closingAmount: p.decimal().$type<DecimalText>().nullable(),
    lineCount: p.integer(),
    fingerprint: p.text(),
    fileId: p.text(),
    fileName: p.text(),
  },
});
export type BankStatement = InferEntity<typeof BankStatement>;

/** What a statement says of one movement, as it was read. Its payment is the movement that is matched. */
export const BankStatementLine = defineEntity({
  name: 'BankStatementLine',
  tableName: 'bank_statement_lines',
  properties: {
    statementId: p.text().primary(),
    sequence: p.integer().primary(),
    managerId: p.text(),
    bankAccountId: p.text(),
    fundId: p.text().nullable(),
    reference: p.text(),
    bookedOn: p.date(),
    valuedOn: p.date(),
    amount: p.decimal().$type<DecimalText>(),
    originalAmount: p.decimal().$type<DecimalText>().nullable(),
    originalCurrency: p.text().nullable(),
    counterpartyName: p.text().nullable(),
    counterpartyAccount: p.text().nullable(),
    remittance: p.text(),
    endToEndId: p.text().nullable(),
    returnReason: p.text().nullable(),
    paymentId: p.text().nullable(),
  },
});

/** A file that a bank delivered to the object storage, and what came of it. Its id follows from the delivery. */
export const DeliveredFile = defineEntity({
  name: 'DeliveredFile',
  tableName: 'statement_files',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    name: p.text(),
    /** Bytes. */
    size: p.bigint('number'),
    writtenAt: p.datetime(),
    outcome: p.text().$type<DeliveryOutcome>(),
    reason: p.text().nullable(),
    fileId: p.text().nullable(),
    statements: p.integer().$type<number & Opt>().default(0),
    added: p.integer().$type<number & Opt>().default(0),
  },
});
export type DeliveredFile = InferEntity<typeof DeliveredFile>;
