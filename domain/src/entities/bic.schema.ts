import { z } from 'zod';
import { accountNumberOf } from './account-number.ts';

/** Bank, country, place and branch. The place of a bank that takes payments begins with no 0 or 1. */
const BIC = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/;

/** A library of countries would be loaded by every page with a form of bank details. */
const REGIONS = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether a text is the SWIFT code (BIC) of a bank, in capitals. */
export const isBic = (code: string): boolean => BIC.test(code) && REGIONS.of(code.slice(4, 6)) !== undefined;

/** An optional number of a bank or an account. It is stored without spaces; blank text is no number. */
export const bankNumberSchema = (most: number, isValid: (number: string) => boolean, message: string) =>
  z
    .string()
    .trim()
    .max(most, { message: `At most ${most} characters`, abort: true })
    .overwrite(accountNumberOf)
    .refine((number) => number === '' || isValid(number), { message })
    .nullish();

export const bicSchema = bankNumberSchema(
  20,
  isBic,
  'Enter a SWIFT code (BIC) of 8 or 11 characters, for example NWBKGB2L',
);
