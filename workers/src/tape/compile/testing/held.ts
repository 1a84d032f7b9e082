import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { DAYS_OF_UNIT, type StepOperand } from '@tapeline/domain/tapes/serialization.schema.ts';
import type { ValueKind } from '@tapeline/domain/tapes/value-kinds.ts';

/** A cell as read. */
export type Cell =
  | { tag: 'blank' }
  | { tag: 'number'; number: number }
  | { tag: 'text'; text: string }
  | { tag: 'boolean'; boolean: boolean }
  | { tag: 'date'; serial: number }
  | { tag: 'error'; text: string };

export type Plain = string | number | boolean | null;
export interface Amount {
  sum: string;
  currency: string;
}
export interface Term {
  value: number;
  unit: keyof typeof DAYS_OF_UNIT;
}
export interface Rate {
  points: string;
  kind: string;
}
/** The content of `data` depends on the kind: a Cell, an Amount, a Term, a Rate, or a plain value. Missing is null. */
export interface Held {
  kind: ValueKind;
  data: Cell | Amount | Term | Rate | Plain;
  /** Only for a number derived from amounts: its decimal digits, or null if they do not fit. */
  exact?: string | null;
}

export interface InterpreterFacts {
  readonly epoch: 1900 | 1904;
  readonly cutOffDate: CalendarDate;
  readonly primaryCurrency: string;
}

/** Why a value could not be produced, worded like the row's error. */
export class Problem extends Error {}
export const fail = (reason: string): never => {
  throw new Problem(reason);
};

export const BLANK: Cell = { tag: 'blank' };
export const NOTHING: Held = { kind: 'missing', data: null };
export const missing = (kind: ValueKind): Held => ({ kind, data: kind === 'cell' ? BLANK : null });
export const isMissing = (held: Held): boolean =>
  held.kind === 'cell' ? (held.data as Cell).tag === 'blank' : held.data === null;

/** A value as stored in the lake columns. */
export function columnsOf(held: Held): Plain[] {
  if (held.data === null) return [null];
  switch (held.kind) {
    case 'amount': {
      const { sum, currency } = held.data as Amount;
      return [sum, currency];
    }
    case 'interest': {
      const { points, kind } = held.data as Rate;
      return [points, kind];
    }
    case 'term': {
      const { value, unit } = held.data as Term;
      const days = value * DAYS_OF_UNIT[unit];
      return [value, unit, Number.isFinite(days) ? days : null];
    }
    default:
      return [held.data as Plain];
  }
}

export const isLiteral = (operand: StepOperand): operand is string | number | boolean | null =>
  typeof operand !== 'object' || operand === null;
