import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import type { FileStatus } from '@tapeline/domain/files/states.ts';
import type { HistoryOperation, UpdatedField } from '@tapeline/domain/history/history.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { RateSource } from '@tapeline/domain/money/rates.ts';

/** One change to one document, written together with the change and never altered. */
export const History = defineEntity({
  name: 'History',
  tableName: 'history',
  properties: {
    id: p.text().primary(),
    /** Name of the collection in the API, for example "transactions". */
    resource: p.text(),
    documentId: p.text(),
    operation: p.text().$type<HistoryOperation>(),
    updatedFields: p.json<UpdatedField[]>(),
    changedBy: p.json<ChangedBy>(),
    /** When the change took effect, as its author's clock has it. */
    changedAt: p.datetime(),
    recordedAt: p.datetime(),
    /** The names of the updated fields. */
    fields: p.array().$type<string[]>().columnType('text[]'),
    /** The user who made the change; null for a program. */
    changedById: p.text().nullable(),
    changedByName: p.text().nullable(),
    managerId: p.text().nullable(),
    /** The transaction that made the change, together with its moment; null for changes of earlier versions. */
    actionId: p.text().nullable(),
    /** The document and those that it belonged to before and after the change: "funds/65f0…". */
    owners: p.array().$type<string[]>().columnType('text[]').lazy(),
  },
});
export type History = InferEntity<typeof History>;

/** A file: registered when its upload is signed, and stored once its content has been checked. */
export const StoredFile = defineEntity({
  name: 'StoredFile',
  tableName: 'files',
  properties: {
    id: p.text().primary(),
    bucket: p.text(),
    key: p.text(),
    name: p.text(),
    /** Bytes. */
    size: p.bigint('number'),
    type: p.text(),
    checksum: p.text().nullable(),
    status: p.text().$type<FileStatus & Opt>().default('Pending'),
    managerId: p.text().nullable(),
    companyId: p.text().nullable(),
    lpId: p.text().nullable(),
    createdByUserId: p.text().nullable(),
    createdAt: p.datetime(),
  },
});
export type StoredFile = InferEntity<typeof StoredFile>;

/** The last code assigned to the documents of one table and manager; only a trigger writes it. */
export const DocumentCode = defineEntity({
  name: 'DocumentCode',
  tableName: 'document_codes',
  properties: {
    /** The table. */
    collection: p.text().primary(),
    /** Empty for documents without a manager. */
    managerId: p.text().primary(),
    last: p.integer(),
  },
});
export type DocumentCode = InferEntity<typeof DocumentCode>;

/** Changes of the number of documents with a status. Triggers write them. */
export const DocumentCount = defineEntity({
  name: 'DocumentCount',
  tableName: 'document_counts',
  properties: {
    id: p.bigint().primary(),
    collection: p.text(),
    managerId: p.text().nullable(),
    status: p.text(),
    count: p.integer(),
  },
});
export type DocumentCount = InferEntity<typeof DocumentCount>;

/** Units of each currency for one US dollar, as of a day, from one source. */
export const CurrencyRate = defineEntity({
  name: 'CurrencyRate',
  tableName: 'currency_rates',
  properties: {
    id: p.text().primary(),
    base: p.text().$type<'USD' & Opt>().default('USD'),
    rates: p.json<Record<string, DecimalText>>(),
    lastUpdate: p.date(),
    source: p.text().$type<RateSource & Opt>().default('bundled'),
    /** Why a person entered each rate; empty for other sources. */
    reasons: p.json<Record<string, string> & Opt>().onCreate(() => ({})),
    /** The codes of the rates, which the database writes. */
    currencies: p.text().nullable().generated("('null') stored").lazy(),
  },
});
export type CurrencyRate = InferEntity<typeof CurrencyRate>;

/** One attempt to get rates from the service. */
export const RateRefresh = defineEntity({
  name: 'RateRefresh',
  tableName: 'rate_refreshes',
  properties: {
    id: p.text().primary(),
    at: p.datetime(),
    outcome: p.text().$type<'updated' | 'unchanged' | 'failed'>(),
    /** The day of the rates; null if the refresh failed. */
    ratesOn: p.date().nullable(),
    currencyCount: p.integer().nullable(),
    /** Why the refresh failed. */
    reason: p.text().nullable(),
  },
});
export type RateRefresh = InferEntity<typeof RateRefresh>;
