import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ChangedBy } from './base.ts';

export interface UpdatedField {
  field: string;
  old: unknown;
  new: unknown;
}

/** One change of one document, written with the change itself and never altered. */
export const History = defineEntity({
  name: 'History',
  tableName: 'history',
  properties: {
    id: p.text().primary(),
    /** Wire name of the collection, for example "transactions". */
    resource: p.text(),
    documentId: p.text(),
    operation: p.text().$type<'Insert' | 'Update' | 'Delete' | 'Permanent Delete'>(),
    updatedFields: p.json<UpdatedField[]>(),
    changedBy: p.json<ChangedBy>(),
    changedAt: p.datetime(),
    managerId: p.text().nullable(),
    companyId: p.text().nullable(),
    lpId: p.text().nullable(),
  },
});
export type History = InferEntity<typeof History>;

/** A file that may exist: registered when its upload is signed, stored once its content has been checked. */
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
    status: p.text().$type<('Pending' | 'Active' | 'Removed') & Opt>().default('Pending'),
    managerId: p.text().nullable(),
    companyId: p.text().nullable(),
    lpId: p.text().nullable(),
    createdByUserId: p.text().nullable(),
    createdAt: p.datetime(),
  },
});
export type StoredFile = InferEntity<typeof StoredFile>;

/** Units of each currency for one US dollar, as of a day. */
export const CurrencyRate = defineEntity({
  name: 'CurrencyRate',
  tableName: 'currency_rates',
  properties: {
    id: p.text().primary(),
    base: p.text().$type<'USD' & Opt>().default('USD'),
    rates: p.json<Record<string, DecimalText>>(),
    lastUpdate: p.date(),
  },
});
export type CurrencyRate = InferEntity<typeof CurrencyRate>;
