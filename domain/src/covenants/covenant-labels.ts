import { valuesOf } from '../documents/labels.ts';

/** What a test compares its figure with. */
export const COVENANT_BOUND_LABELS = { atMost: 'At most', atLeast: 'At least' } as const;
export const COVENANT_BOUNDS = valuesOf(COVENANT_BOUND_LABELS);
export type CovenantBound = (typeof COVENANT_BOUNDS)[number];

/** What the figure of a test is. */
export const COVENANT_UNIT_LABELS = {
  percent: 'Per cent',
  times: 'Times (x)',
  money: 'Amount of money',
  number: 'Plain number',
} as const;
export const COVENANT_UNITS = valuesOf(COVENANT_UNIT_LABELS);
export type CovenantUnit = (typeof COVENANT_UNITS)[number];

/** What follows while a test is breached. */
export const CONSEQUENCE_LABELS = {
  none: 'None',
  inform: 'People are told',
  reason: 'Draws need a reason',
  drawStop: 'Draw stop',
  defaultRate: 'Other default advance rate',
  amortisation: 'Amortisation begins',
} as const;
export const CONSEQUENCES = valuesOf(CONSEQUENCE_LABELS);
export type Consequence = (typeof CONSEQUENCES)[number];

/** How a test was decided on its date. */
export const OUTCOME_LABELS = { met: 'Met', warning: 'Warning', breached: 'Breached' } as const;
export const OUTCOMES = valuesOf(OUTCOME_LABELS);
export type CovenantOutcome = (typeof OUTCOMES)[number];

/** How a test stands today, the most urgent first. */
export const COVENANT_STATE_LABELS = {
  breached: 'Breached',
  unknown: 'Unknown',
  warning: 'Warning',
  waived: 'Waived',
  cured: 'Cured',
  met: 'Met',
  notApplicable: 'Does not apply',
  notTested: 'Not tested yet',
} as const;
export const COVENANT_STATES = valuesOf(COVENANT_STATE_LABELS);
export type CovenantState = (typeof COVENANT_STATES)[number];

/** Steps of a limit, and periods of an average, at most. */
export const MAX_STEPS = 40;
export const MAX_PERIODS = 24;
export const MAX_CURE_DAYS = 365;
/** Tests of one note, and facility figures of one name that a test reads, at most. */
export const MAX_COVENANTS_PER_NOTE = 100;

/** Until a covenant says otherwise, its figures are expected so many days after the test date. */
export const DEFAULT_DAYS_TO_REPORT = 45;
