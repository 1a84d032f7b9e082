import { CALL_PURPOSE_LABELS, DISTRIBUTION_ACTION_LABELS } from '../capital/kinds.ts';
import { BORROWING_BASE_STATUS_LABELS } from '../facilities/pools.ts';
import { FUND_TYPE_LABELS } from '../funds/kinds.ts';
import { ASSET_STATUS_LABELS, INTEREST_KIND_LABELS } from '../tapes/statuses.ts';
import type { Labels } from './labels.ts';

/** Enumerations whose values are shown where only the value is known: in filters, grids, chips and the history. */
export const SHOWN_BY_CODE: readonly Labels<string>[] = [
  ASSET_STATUS_LABELS,
  BORROWING_BASE_STATUS_LABELS,
  CALL_PURPOSE_LABELS,
  DISTRIBUTION_ACTION_LABELS,
  FUND_TYPE_LABELS,
  INTEREST_KIND_LABELS,
];

const LABELS = new Map(SHOWN_BY_CODE.flatMap((labels) => Object.entries(labels)));

/** What people call a code of the wire: that of its enumeration, or its words: "pastDue" is "Past due". */
export function codeLabel(code: string): string {
  const known = LABELS.get(code);
  // An abbreviation keeps its capitals.
  if (known !== undefined || !/[a-z]/.test(code)) return known ?? code;
  const words = code
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of a code of an enumeration within a sentence: "past due", but "SMA". Null for other codes. */
export function codeInSentence(code: string): string | null {
  const label = LABELS.get(code);
  if (label === undefined) return null;
  return /^[A-Z][^A-Z]*$/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
