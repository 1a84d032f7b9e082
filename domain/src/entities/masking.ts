import type { Bank } from './bank.schema.ts';

/** Characters of an account number that stay readable, where it is long enough to hide the others. */
const READABLE = 4;
const LEAST_HIDDEN = 4;

function masked<Text extends string | null | undefined>(text: Text): Text | string {
  if (!text) return text;
  return text.length < READABLE + LEAST_HIDDEN ? '****' : `****${text.slice(-READABLE)}`;
}

/** Bank details for somebody who may not change them: the bank stays known, where the account is does not. */
export const maskBanks = (banks: readonly Bank[]): Bank[] =>
  banks.map((bank) => ({
    ...bank,
    accountNumber: masked(bank.accountNumber),
    IBAN: masked(bank.IBAN),
    swiftCode: masked(bank.swiftCode),
    abaOrRouting: masked(bank.abaOrRouting),
  }));

const MASKED_FIELDS: readonly string[] = ['accountNumber', 'IBAN', 'swiftCode', 'abaOrRouting'];

/** One field of a bank, for the same person. */
export const maskBankField = (field: string, value: unknown): unknown =>
  typeof value === 'string' && MASKED_FIELDS.includes(field) ? masked(value) : value;
