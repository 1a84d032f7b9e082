import { valuesOf } from '../documents/labels.ts';

const SIGNING_LABELS = {
  approval: 'Approval',
  contractSigning: 'Contract signing',
  termsheetSigning: 'Term sheet signing',
} as const;
/** The dates that debt has and an investment does not. */
const DEBT_DATE_LABELS = {
  revolvingStart: 'Revolving period start',
  revolvingEnd: 'Revolving period end',
  firstPrincipalRepayment: 'First principal repayment',
  gracePeriod: 'Grace period end',
  maturity: 'Maturity',
  termination: 'Termination',
} as const;
export const DEBT_ONLY_DATES = valuesOf(DEBT_DATE_LABELS);
const TIMELINE_LABELS = { ...DEBT_DATE_LABELS, ...SIGNING_LABELS } as const;
export const TIMELINE_KEYS = valuesOf(SIGNING_LABELS);
export const DEBT_TIMELINE_KEYS = valuesOf(TIMELINE_LABELS);
/** An end of the period of a fee: a date of the timeline, or another. */
export const DATE_RANGE_LABELS = { custom: 'Another date', ...TIMELINE_LABELS } as const;
export const DATE_RANGE_TYPES = valuesOf(DATE_RANGE_LABELS);

export const BASE_RATES = ['SOFR', 'SONIA', 'LABOR'] as const;

/** How the days of an interest period are counted. */
export const DAY_COUNTS = ['ACT/360', 'ACT/365F', 'ACT/ACT ISDA', '30/360 US', '30E/360'] as const;
/** The day count of interest that states none. */
export const DEFAULT_DAY_COUNT: (typeof DAY_COUNTS)[number] = 'ACT/360';
/** The day count of default interest on calls whose terms name none. */
export const DEFAULT_INTEREST_DAY_COUNT: (typeof DAY_COUNTS)[number] = 'ACT/365F';

/** A result of a covenant prices the interest from so many days after its test date, unless the grid says otherwise. */
export const DEFAULT_DAYS_AFTER_TEST = 45;

/** How old the borrowing base of a draw may be on its due date, where the terms do not say. */
export const DEFAULT_MAX_BASE_AGE_DAYS = 45;
