import type { Amount } from '../money/amount.schema.ts';
import type { CheckCode } from './check-code.ts';
import type { CheckFix } from './check-fixes.ts';

/** Maximum number of groups in an answer, of rows in a group, and of values with a group of their own for one reason. */
export const MAX_CHECK_GROUPS = 200;
export const MAX_GROUP_ROWS = 10;
export const MAX_GROUP_VALUES = 10;

/** Rows with the same reason, in one rule. */
export interface CheckGroup {
  readonly kind: 'error' | 'warning';
  /** 1-based position of the rule in the mapping; 0 if the reason is in the row itself. */
  readonly rule: number;
  /** The header of the rule; null for a computed column. */
  readonly column: string | null;
  readonly target: string;
  readonly label: string;
  readonly code: CheckCode;
  /** The reason without the value: "is not a number". */
  readonly reason: string;
  /** The cell, if it is the same in all rows of the group. */
  readonly value: string | null;
  /** Rows of the whole file. */
  readonly count: number;
  /** The first of them, in row order. */
  readonly rows: readonly { readonly row: number; readonly value: string | null; readonly reason: string }[];
  /** Changes of the rule that correct all rows of the group. */
  readonly fixes: readonly CheckFix[];
}

/** What a mapping makes of every row of a file. */
export interface CheckedFile {
  readonly sheetName: string;
  /** Rows with data; assets and errored rows add up to them. */
  readonly rows: number;
  readonly blankRows: number;
  readonly assets: number;
  readonly errored: number;
  /** Assets with at least one warning. */
  readonly warned: number;
  /** Errors before warnings, those with the most rows first. A row with several reasons is in several groups. */
  readonly groups: readonly CheckGroup[];
  /** Groups that are not listed. */
  readonly moreGroups: number;
  /** Outstanding balance of the assets in each currency; empty if the mapping makes none. */
  readonly balances: readonly Amount[];
}
