import { isValidIBAN } from 'ibantools';
import { accountNumberOf } from '../../entities/account-number.ts';
import { type Bank, isRoutingNumber } from '../../entities/bank.schema.ts';
import { isBic } from '../../entities/bic.schema.ts';
import { countryCode } from '../../entities/country-codes.ts';
import { latinIdentifier } from './latin-text.ts';
import type { AccountNumbers } from './payment-order.ts';

const numberOf = (written: string | null | undefined): string | null => accountNumberOf(written ?? '') || null;

/** The numbers of an account as banks write them. An IBAN may have been entered as the number. */
export function accountNumbers(
  bank: Pick<Bank, 'accountNumber' | 'IBAN' | 'swiftCode' | 'abaOrRouting'>,
): AccountNumbers {
  const accountNumber = numberOf(bank.accountNumber);
  return {
    iban: numberOf(bank.IBAN) ?? (isValidIBAN(accountNumber ?? '') ? accountNumber : null),
    accountNumber,
    bic: numberOf(bank.swiftCode),
    routingNumber: numberOf(bank.abaOrRouting),
  };
}

/** Of the longest IBAN, and of what the schemas of credit transfers take as another number. */
const LONGEST_ACCOUNT = 34;

/** What any bank would refuse about the numbers of an account, whatever the format. */
export function accountProblems({ iban, accountNumber, bic, routingNumber }: AccountNumbers): string[] {
  const found: string[] = [];
  if (iban === null && accountNumber === null) found.push('the account has neither an IBAN nor a number');
  if (iban !== null && !isValidIBAN(iban)) found.push('the account has no valid IBAN');
  if (iban === null && accountNumber !== null) {
    if (accountNumber.length > LONGEST_ACCOUNT) {
      found.push(`the account number has more than ${LONGEST_ACCOUNT} characters`);
    } else if (
      !/^[A-Za-z0-9]/.test(accountNumber) ||
      latinIdentifier(accountNumber, LONGEST_ACCOUNT) !== accountNumber
    ) {
      found.push(
        'the account number has characters that banks do not take, or begins with one that is no letter or digit',
      );
    }
  }
  if (bic !== null && !isBic(bic)) found.push(`${bic} is not the SWIFT code (BIC) of a bank`);
  if (routingNumber !== null && !isRoutingNumber(routingNumber)) {
    found.push(`${routingNumber} is not the routing number of a bank`);
  }
  return found;
}

/** The two letters of a country; null for what names no country. */
export function lettersOfCountry(written: string | null): string | null {
  const code = countryCode(written ?? '');
  return /^[A-Z]{2}$/.test(code) ? code : null;
}
