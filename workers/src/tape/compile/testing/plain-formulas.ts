import { type CalendarDate, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { Formula } from '@tapeline/domain/tapes/formulas/formula.ts';
import type { PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import { DAYS_OF_UNIT } from '@tapeline/domain/tapes/serialization.schema.ts';
import type { Held, InterpreterFacts } from './held.ts';
import {
  ABSOLUTE,
  combine,
  constant,
  NEGATED,
  type NumberRead,
  numberOf,
  perNumber,
  rounded,
} from './plain-numbers.ts';
import { keptDigits, readDate, readNumber, withPlainFigure } from './plain-reads.ts';

interface FormulaContext extends Pick<InterpreterFacts, 'epoch' | 'cutOffDate'> {
  /** Reads another column. Errors include the column's name. */
  other<T>(name: string, read: (held: Held) => T): T;
}

/** The result of a formula for one row. */
export function interpretFormula(planned: PlannedStep, held: Held, context: FormulaContext): Held {
  if (!planned.formula) throw new Error('A calculate step was planned without its formula');
  const { formula, type, forms } = planned.formula;
  const figureOf = (name: string | null) => (each: Held) => withPlainFigure(each, planned.figures.get(name));

  const dateOf = (part: Formula): CalendarDate | null => {
    const read = (column: string | null) => (each: Held) =>
      readDate(each, forms.get(column) ?? { format: 'ISO' }, context.epoch);
    switch (part.kind) {
      case 'cutOff':
        return context.cutOffDate;
      case 'value':
        return read(null)(held);
      case 'column':
        return context.other(part.name, read(part.name));
      case 'combine': {
        const [left, right] = [dateOf(part.left), dateOf(part.right)];
        if (left === null || right === null) return null;
        return left <= right === (part.operation === 'min') ? left : right;
      }
      default:
        throw new Error(`A formula has a ${part.kind} where a date is needed`);
    }
  };

  const heldOf = (part: Formula): Held => {
    switch (part.kind) {
      case 'number':
        return { kind: 'number', data: part.value };
      case 'value':
        return asNumber(figureOf(null)(held));
      case 'column':
        return context.other(part.name, (each) => asNumber(figureOf(part.name)(each)));
      case 'negate':
        return perNumber(heldOf(part.of), ...NEGATED);
      case 'absolute':
        return perNumber(heldOf(part.of), ...ABSOLUTE);
      case 'round':
        return perNumber(heldOf(part.of), ...rounded(part.digits));
      case 'combine':
        return combine(part.operation, sideOf(part.left), sideOf(part.right));
      case 'between': {
        const [to, from] = [dateOf(part.to), dateOf(part.from)];
        const known = from !== null && to !== null;
        return { kind: 'number', data: known ? (toEpochDay(to) - toEpochDay(from)) / DAYS_OF_UNIT[part.unit] : null };
      }
      case 'cutOff':
        throw new Error('A formula has the cut-off date where a number is needed');
    }
  };

  /** Columns are combined by the digits that they have as read. */
  const sideOf = (part: Formula): NumberRead => {
    if (part.kind === 'number') return constant(part.value);
    if (part.kind === 'value') return numberOf(figureOf(null)(held));
    return part.kind === 'column'
      ? context.other(part.name, (each) => numberOf(figureOf(part.name)(each)))
      : numberOf(heldOf(part));
  };

  return type === 'date' ? { kind: 'date', data: dateOf(formula) } : heldOf(formula);
}

const asNumber = (held: Held): Held => ({ kind: 'number', data: readNumber(held), exact: keptDigits(held) });
