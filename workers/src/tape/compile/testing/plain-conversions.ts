import { absolute, compare, decimalOf, multiply, round } from '@tapeline/domain/money/decimal.ts';
import { isCurrencyCode, minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { plainFigure } from '@tapeline/domain/tapes/plain-figure.ts';
import type { PlannedRule } from '@tapeline/domain/tapes/planned-rule.ts';
import type { FigureOptions, SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { assetStatusOf } from '@tapeline/domain/tapes/statuses.ts';
import { REASONS } from '../values.ts';
import { type Cell, fail, type Held, type Rate, type Term } from './held.ts';
import { isBlank, lower, parseNumber, trim, upper } from './plain-cells.ts';
import { readExact, readNumber, readText } from './plain-reads.ts';

function withinDigits(exact: string, digits: number, integerDigits: number): string {
  const rounded = round(exact, digits);
  if (compare(absolute(rounded), `1${'0'.repeat(integerDigits)}`) >= 0) fail(REASONS.tooLarge);
  return rounded;
}

/** Points, with 8 decimal places. A percent sign contradicts the scale from 0 to 1. */
export function points(held: Held, scale: string): string | null {
  const read = readExact(held);
  if (read === null) return null;
  if (scale === 'zeroTo1' && read.percentSign) return fail(REASONS.percentSign);
  const inPoints = scale === 'zeroTo1' ? multiply(round(read.exact, 10), '100') : read.exact;
  return withinDigits(inPoints, 8, 10);
}

export function interest(held: Held, scale: string, kind: string): Rate | null {
  const value = points(held, scale);
  if (value === null) return null;
  return compare(value, '0') < 0 ? fail(REASONS.negativeRate) : { points: value, kind };
}

/** A sum rounded half-even to the currency's minor unit. All calculations use exact decimals, including units. */
export function sum(held: Held, factor: number, currency: string): string | null {
  const read = readExact(held);
  if (read === null) return null;
  const whole = multiply(read.exact, decimalOf(factor));
  return round(withinDigits(whole, minorUnitDigits(currency), 14), 4);
}

export function term(
  held: Held,
  { unit, ...figures }: Pick<SerializationOf<'SerializedTerm'>, 'unit'> & FigureOptions,
): Term | null {
  const cell = held.kind === 'cell' ? (held.data as Cell) : null;
  const text = cell?.tag === 'text' ? cell.text : held.kind === 'text' ? (held.data as string | null) : null;
  if (text === null || isBlank(text)) {
    const value = text === null ? readNumber(held) : null;
    return value === null ? null : { value, unit };
  }
  const small = lower(text);
  const named = /(day|week|month|quarter|year)s?[\t\n\f\r \u00a0]*$/.exec(small);
  const value = parseNumber(plainFigure(named ? small.slice(0, named.index) : small, figures));
  if (value === null) return fail(REASONS.notNumber);
  return { value, unit: named ? (`${named[1]}s` as Term['unit']) : unit };
}

export function status(text: string | null): string | null {
  if (text === null || isBlank(text)) return null;
  return assetStatusOf(text) ?? fail(REASONS.notStatus);
}

/** Converts the last step's result to the kind of its target. */
export function fitTarget(planned: PlannedRule, held: Held, epoch: 1900 | 1904): Held {
  const text = (): string | null => {
    const value = held.data as string | null;
    return value === null || isBlank(value) ? null : trim(value);
  };
  if (held.kind === 'missing') return held;
  switch (planned.target.kind) {
    case 'assetStatus':
      return held.kind === 'status' ? held : { kind: 'status', data: status(held.data as string | null) };
    case 'assetType': {
      const known = text();
      const value = known === null ? null : lower(known);
      return value === null || value === 'loan' || value === 'investment'
        ? { kind: 'text', data: value }
        : fail(REASONS.notAssetType);
    }
    case 'currency': {
      const known = text();
      const value = known === null ? null : upper(known);
      return value === null || isCurrencyCode(value) ? { kind: 'text', data: value } : fail(REASONS.notCurrency);
    }
    case 'text':
      return held.kind === 'cell' ? { kind: 'text', data: readText(held, epoch) } : held;
    case 'number':
      return { kind: 'number', data: readNumber(held) };
    default:
      return held;
  }
}
