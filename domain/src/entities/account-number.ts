import { NOT_IN_NAMES } from '../documents/text.schema.ts';

/** What numbers of accounts and banks are printed with: spaces, hyphens, points, and what no name may hold. */
const PRINTED = new RegExp(`[\\s\\u0000.${NOT_IN_NAMES}-]`, 'g');

/** The number of an account or a bank as it is stored and sent: "gb29 nwbk 6016" is GB29NWBK6016. */
export const accountNumberOf = (written: string): string => written.replaceAll(PRINTED, '').toUpperCase();

/** The number as it is compared: without what separates a bank from an account either. */
export const comparedAccountNumber = (written: string): string => written.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
