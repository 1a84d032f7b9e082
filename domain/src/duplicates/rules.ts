import { valuesOf } from '../documents/labels.ts';

/** How sure it is that two loans are one. */
export const CERTAINTY_LABELS = { certain: 'Certain', likely: 'Likely', possible: 'Possible' } as const;
export type Certainty = keyof typeof CERTAINTY_LABELS;
export const CERTAINTIES = valuesOf(CERTAINTY_LABELS);

/** What two loans of each certainty share. */
export const CERTAINTY_RULES: Readonly<Record<Certainty, string>> = {
  certain: 'same id and original amount on two tapes',
  likely: 'same obligor, near amount and date, same rate or term',
  possible: 'same obligor, near amount, and near date or same rate and term',
};

/** What the loans of a pair are, as a person decided. */
export const DECISION_LABELS = { Same: 'Same loan', Different: 'Different loans', Explained: 'Explained' } as const;
export type Decision = keyof typeof DECISION_LABELS;
export type DuplicateStatus = 'Open' | Decision | 'Removed';

/** Original amounts at most this share of the larger one apart are near. */
export const NEAR_AMOUNT_PERCENT = 0.5;
/** Dates at most this far apart are near. */
export const NEAR_DAYS = 3;
/** Loans that have left the tapes of a borrower are compared with those of others for so many months. */
export const EARLIER_MONTHS = 3;
/** Loans with the same values are compared up to this many. More share a placeholder, and are only counted. */
export const MAX_BLOCK = 50;
/** Pairs that one search keeps: the most certain, then those with the largest balance. */
export const MAX_PAIRS = 5000;

/** Words of a name that say the form of a company, and not which one it is. */
export const LEGAL_FORMS = [
  ...['LLC', 'INC', 'INCORPORATED', 'CORP', 'CORPORATION', 'CO', 'COMPANY', 'LTD', 'LIMITED', 'LP', 'LLP', 'PLC', 'PC'],
  ...['GMBH', 'AG', 'KG', 'SA', 'SAS', 'SARL', 'SL', 'SRL', 'SPA', 'BV', 'NV', 'OY', 'AB', 'AS', 'APS', 'THE', 'AND'],
] as const;

/** Names of custom fields that hold the name of a loan's obligor, in small letters without other characters. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  'name',
  ...['borrower', 'obligor', 'debtor', 'customer', 'client', 'company', 'business', 'merchant'].map(
    (party) => `${party}name`,
  ),
  ...['borrower', 'obligor', 'debtor', 'customer', 'merchant'],
]);

/** Whether a custom field, by its path or name, holds the name of the obligor. */
export const isNameField = (path: string): boolean =>
  NAME_FIELDS.has(
    path
      .replace(/^customFields\./, '')
      .replaceAll(/[^a-z]/gi, '')
      .toLowerCase(),
  );
