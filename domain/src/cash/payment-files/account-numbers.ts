import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { Bank } from '../../entities/bank.schema.ts';
import { countryCode } from '../../entities/country-codes.ts';
import type { AccountNumbers } from './payment-order.ts';

const numberOf = (written: string | null | undefined): string | null =>
  (written ?? '').replaceAll(/\s/g, '').toUpperCase() || null;

/** The numbers of an account as banks write them. An IBAN may have been entered as the number. */
export function accountNumbers(
  bank: Pick<Bank, 'accountNumber' | 'IBAN' | 'swiftCode' | 'abaOrRouting'>,
): AccountNumbers {
  const asIban = electronicFormatIBAN(bank.accountNumber) ?? '';
  return {
    iban: numberOf(bank.IBAN) ?? (isValidIBAN(asIban) ? asIban : null),
    accountNumber: numberOf(bank.accountNumber),
    bic: numberOf(bank.swiftCode),
    routingNumber: numberOf(bank.abaOrRouting),
  };
}

/** The two letters of a country; null for what names no country. */
export function lettersOfCountry(written: string | null): string | null {
  const code = countryCode(written ?? '');
  return /^[A-Z]{2}$/.test(code) ? code : null;
}
