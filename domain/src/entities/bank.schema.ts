import { isValidIBAN } from 'ibantools';
import { z } from 'zod';
import { MAX_TITLE, nameSchema, optionalNameSchema, textSchema } from '../documents/text.schema.ts';
import { bankNumberSchema, bicSchema } from './bic.schema.ts';

export const BANK_TYPES = ['Private', 'Business'] as const;

/** Bank accounts of one entity. */
export const MAX_BANKS = 10;

const ABA_WEIGHTS = [3, 7, 1] as const;

/** Whether nine digits are a routing number of the American Bankers Association: their weighted sum is a multiple of ten. */
export function isRoutingNumber(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || /^0+$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * ABA_WEIGHTS[index % 3]!, 0);
  return sum % 10 === 0;
}

const fields = {
  title: nameSchema(2, 250),
  accountNumber: nameSchema(2, 150),
  address: textSchema(2, 250),
  type: z.enum(BANK_TYPES, { error: 'Choose Private or Business' }),
  branch: optionalNameSchema(MAX_TITLE),
  /** Whom the account belongs to: the beneficiary of a payment. */
  accountName: optionalNameSchema(MAX_TITLE),
  /** The bank; `title` names the account. */
  bankName: optionalNameSchema(MAX_TITLE),
};

/** A bank account as a person enters it: its numbers must pass their check digits. */
export const bankSchema = z.object({
  ...fields,
  swiftCode: bicSchema,
  IBAN: bankNumberSchema(50, isValidIBAN, 'This is not a valid IBAN. Check its digits and length.'),
  abaOrRouting: bankNumberSchema(
    50,
    isRoutingNumber,
    'Enter a nine-digit ABA routing number. The check digit of this one is wrong.',
  ),
});
export type Bank = z.infer<typeof bankSchema>;

/** A bank account as it is shown: to some readers, only the last characters of its numbers. */
export const shownBankSchema = z.object({
  ...fields,
  accountNumber: z.string(),
  swiftCode: z.string().nullish(),
  IBAN: z.string().nullish(),
  abaOrRouting: z.string().nullish(),
});
