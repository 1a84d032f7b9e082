import { readFileSync } from 'node:fs';
import type { CsvMapping } from '../csv-mapping.ts';
import type { CsvReading } from '../read-statements.ts';

/** A file as a bank writes it, with invented accounts and people. */
export const sample = (name: string): Uint8Array => readFileSync(new URL(`../samples/${name}`, import.meta.url));

/** A mapping whose other columns are left out. */
export const withColumns = (columns: Partial<CsvMapping> & Pick<CsvMapping, 'bookedOn'>): CsvMapping => ({
  separator: ';',
  decimal: ',',
  dateOrder: 'DMY',
  valuedOn: null,
  amount: null,
  debit: null,
  credit: null,
  balance: null,
  currency: null,
  reference: null,
  charges: null,
  counterpartyName: null,
  counterpartyAccount: null,
  remittance: [],
  ...columns,
});

export const GERMAN: CsvReading = {
  account: { number: 'DE89370400440532013000', currency: 'EUR' },
  mapping: withColumns({
    bookedOn: 'Buchungstag',
    valuedOn: 'Wert',
    amount: 'Betrag',
    balance: 'Saldo',
    counterpartyName: 'Empfänger',
    counterpartyAccount: 'IBAN',
    remittance: ['Verwendungszweck'],
  }),
};

export const AMERICAN: CsvReading = {
  account: { number: '123', currency: 'USD' },
  mapping: withColumns({
    separator: ',',
    decimal: '.',
    dateOrder: 'MDY',
    bookedOn: 'Date',
    debit: 'Paid out',
    credit: 'Paid in',
    currency: 'Currency',
    reference: 'Reference',
    remittance: ['Description'],
  }),
};
