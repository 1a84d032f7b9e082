import { type CalendarDate, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { decimalOf } from '@tapeline/domain/money/decimal.ts';
import { isCurrencyCode } from '@tapeline/domain/money/minor-units.ts';
import { namedValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import { CONDITION_CUT_OFF } from '@tapeline/domain/tapes/column-catalog.ts';
import type { ColumnSource, PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import {
  DAYS_OF_UNIT,
  type FigureOptions,
  KILOMETERS_OF_UNIT,
  METERS_OF_UNIT,
  NUMBER_UNIT_FACTORS,
  type SerializationOf,
  type StepOperand,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { isOperandColumn, isOperandPrevious } from '@tapeline/domain/tapes/step-kinds.ts';
import type { ValueKind } from '@tapeline/domain/tapes/value-kinds.ts';
import { REASONS } from '../values.ts';
import {
  type Amount,
  BLANK,
  type Cell,
  columnsOf,
  fail,
  type Held,
  type InterpreterFacts,
  isLiteral,
  missing,
  NOTHING,
  type Plain,
  Problem,
} from './held.ts';
import { finite, productOf, type TwoSided } from './plain-arithmetic.ts';
import { isBlank, keyOf, keyOfLiteral, seen, trim, upper } from './plain-cells.ts';
import { interest, points, status, sum, term } from './plain-conversions.ts';
import { interpretFormula } from './plain-formulas.ts';
import { ABSOLUTE, combine, constant, NEGATED, numberOf, perNumber, rounded } from './plain-numbers.ts';
import { keptDigits, readBoolean, readDate, readNumber, readText, withPlainFigure } from './plain-reads.ts';
import { changeText, joined } from './plain-texts.ts';

/** One row: its cells, and the results of earlier rules. */
export class RowReader {
  readonly #cells: Readonly<Record<string, Cell>>;
  readonly #made: ReadonlyMap<number, Held>;
  readonly #facts: InterpreterFacts;
  readonly #row: number;

  constructor(
    cells: Readonly<Record<string, Cell>>,
    made: ReadonlyMap<number, Held>,
    facts: InterpreterFacts,
    row: number,
  ) {
    this.#row = row;
    this.#cells = cells;
    this.#made = made;
    this.#facts = facts;
  }

  cell(header: string): Cell {
    return this.#cells[header] ?? BLANK;
  }

  /**
   * Applies one step to the running value.
   * @throws Problem if the step fails
   */
  step(planned: PlannedStep, held: Held): Held {
    const { step } = planned;
    /** For steps without options of their own. */
    const figure = withPlainFigure(held, planned.figures.get(null));
    switch (step.type) {
      case 'text':
        return { kind: 'text', data: this.#text(held) };
      case 'number':
        return scaled(withPlainFigure(held, step), NUMBER_UNIT_FACTORS[step.unit]);
      case 'distance':
        return scaled(withPlainFigure(held, step), KILOMETERS_OF_UNIT[step.unit]);
      case 'weight':
        return scaled(withPlainFigure(held, step), METERS_OF_UNIT[step.unit]);
      case 'boolean':
        return { kind: 'boolean', data: readBoolean(held) };
      case 'date':
        return { kind: 'date', data: readDate(held, step, this.#facts.epoch) };
      case 'percentage':
      case 'SerializedPercentage':
        return { kind: 'percentage', data: points(withPlainFigure(held, step), step.scale) };
      case 'SerializedInterest':
        return { kind: 'interest', data: interest(withPlainFigure(held, step), step.scale, step.kind) };
      case 'SerializedSum':
        return { kind: 'amount', data: this.#amount(planned, step, held) };
      case 'SerializedTerm':
        return { kind: 'term', data: term(held, step) };
      case 'assetStatus':
        return { kind: 'status', data: status(this.#text(held)) };
      case 'absolute':
        return perNumber(figure, ...ABSOLUTE);
      case 'negate':
        return perNumber(figure, ...NEGATED);
      case 'round':
        return perNumber(figure, ...rounded(step.digits));
      case 'add':
      case 'subtract':
      case 'multiply':
      case 'divide':
      case 'power':
      case 'min':
      case 'max':
        return this.#combine(planned, step, figure);
      case 'calculate':
        return interpretFormula(planned, held, {
          epoch: this.#facts.epoch,
          cutOffDate: this.#facts.cutOffDate,
          other: (name, read) => this.#other(planned, name, read),
        });
      case 'concat':
        return this.#concat(planned, step, held);
      case 'rowNumber': {
        const text = this.#text(held);
        return { kind: 'text', data: text === null || isBlank(text) ? `row ${this.#row}` : text };
      }
      case 'ifStatement':
        return this.#operand(planned, this.#holds(planned) ? step.then : step.else, held);
      case 'switchCase':
        return this.#choose(planned, step, held);
      case 'datesDiff':
        return this.#countDays(planned, step, held);
      case 'omit': {
        const shown = this.#key(held);
        const hit = shown !== null && step.values.some((each) => keyOfLiteral(each) === shown);
        return hit ? missing(held.kind) : held;
      }
      default: {
        const text = this.#text(held);
        return { kind: 'text', data: text === null ? null : changeText(step, text) };
      }
    }
  }

  #text(held: Held): string | null {
    return readText(held, this.#facts.epoch);
  }

  #read(planned: PlannedStep, name: string): Held {
    const source = planned.columns.get(name) as ColumnSource;
    if (source.from === 'origin') return { kind: 'cell', data: this.cell(source.header) };
    return this.#made.get(source.rule) ?? NOTHING;
  }

  /** Reads another column. Errors include the column's name. */
  #other<T>(planned: PlannedStep, name: string, read: (held: Held) => T): T {
    try {
      return read(this.#read(planned, name));
    } catch (problem) {
      if (problem instanceof Problem) return fail(`${namedValue(name)}${problem.message}`);
      throw problem;
    }
  }

  #combine(planned: PlannedStep, step: TwoSided, held: Held): Held {
    const { column } = step;
    const left = numberOf(held);
    const right =
      column === undefined
        ? constant(step.value ?? 0)
        : this.#other(planned, column, (other) => numberOf(withPlainFigure(other, planned.figures.get(column))));
    return combine(step.type, left, right);
  }

  #concat(planned: PlannedStep, step: SerializationOf<'concat'>, held: Held): Held {
    const pieces: (string | null)[] = [this.#text(held)];
    let some = pieces[0] !== null;
    // A computed column has no cell of its own that could be missing.
    let isWhole = some || held.kind === 'missing';
    for (const part of step.parts) {
      const piece = 'text' in part ? part.text : this.#other(planned, part.column, (other) => this.#text(other));
      some ||= 'column' in part && piece !== null;
      isWhole &&= piece !== null;
      pieces.push(piece);
    }
    return {
      kind: 'text',
      data:
        some && (step.onMissing !== 'whole' || isWhole)
          ? joined(
              pieces.filter((piece) => piece !== null),
              step.separator,
            )
          : null,
    };
  }

  #choose(planned: PlannedStep, step: SerializationOf<'switchCase'>, held: Held): Held {
    const shown = this.#key(held);
    for (const { equals, then } of step.cases) {
      const literals = Array.isArray(equals) ? equals : [equals];
      if (literals.some((each) => (each === null ? null : keyOfLiteral(each) || null) === shown)) {
        return this.#operand(planned, then, held);
      }
    }
    if (shown === null) return missing(planned.output);
    const isError = held.kind === 'cell' && (held.data as Cell).tag === 'error';
    if (isError && planned.output !== 'cell') return fail(REASONS.sheetError);
    return step.default === undefined ? fail(REASONS.noCase) : this.#operand(planned, step.default, held);
  }

  #countDays(planned: PlannedStep, step: SerializationOf<'datesDiff'>, held: Held): Held {
    const from = held.data as CalendarDate | null;
    const { column } = step;
    const to =
      column === undefined
        ? this.#facts.cutOffDate
        : this.#other(planned, column, (other) =>
            readDate(other, planned.otherDate ?? { format: 'ISO' }, this.#facts.epoch),
          );
    if (from === null || to === null) return { kind: 'number', data: null };
    return { kind: 'number', data: (toEpochDay(to) - toEpochDay(from)) / DAYS_OF_UNIT[step.unit] };
  }

  /** The text that switch cases and omitted values are compared with. */
  #key(held: Held): string | null {
    const shown = held.kind === 'cell' ? seen(held.data as Cell, this.#facts.epoch) : this.#text(held);
    return shown === null ? null : keyOf(shown);
  }

  #amount(planned: PlannedStep, step: SerializationOf<'SerializedSum'>, held: Held): Amount | null {
    let currency = step.currency ?? this.#facts.primaryCurrency;
    let problem: string | null = null;
    if (step.currencyColumn !== undefined) {
      const name = step.currencyColumn;
      try {
        const stated = this.#other(planned, name, (other) => this.#text(other));
        if (stated !== null && !isBlank(stated)) currency = upper(trim(stated));
        if (!isCurrencyCode(currency)) fail(`${namedValue(name)}${REASONS.notCurrency}`);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        problem = error.message;
        currency = 'USD';
      }
    }
    const made = sum(withPlainFigure(held, step), NUMBER_UNIT_FACTORS[step.unit], currency);
    if (problem !== null) return fail(problem);
    return made === null ? null : { sum: made, currency };
  }

  #operand(planned: PlannedStep, operand: StepOperand, held: Held): Held {
    const { output, figures } = planned;
    if (isOperandPrevious(operand)) return this.#as(held, output, figures.get(null));
    if (isOperandColumn(operand)) {
      return this.#other(planned, operand.column, (other) => this.#as(other, output, figures.get(operand.column)));
    }
    const literal = isLiteral(operand) ? operand : null;
    const isNothing = literal === null || (typeof literal === 'string' && isBlank(literal));
    return isNothing ? missing(planned.output) : { kind: planned.output, data: literal };
  }

  #as(held: Held, kind: ValueKind, options: FigureOptions | undefined): Held {
    if (held.kind === kind) return held;
    if (kind === 'text') return { kind, data: this.#text(held) };
    if (kind === 'number') return { kind, data: readNumber(withPlainFigure(held, options)), exact: keptDigits(held) };
    if (kind === 'boolean') return { kind, data: readBoolean(held) };
    return missing(kind);
  }

  #holds(planned: PlannedStep): boolean {
    if (!planned.filter) throw new Error('An ifStatement was planned without its filter');
    return evaluateFilter(planned.filter, (field) => this.#condition(field, planned.figures.get(field.path))) === true;
  }

  /** The value of a column in a condition. An unreadable value is unknown. */
  #condition(field: { path: string; type: string }, options: FigureOptions | undefined): Plain {
    if (field.path === CONDITION_CUT_OFF.path) return this.#facts.cutOffDate;
    if (field.path.startsWith('origin.')) {
      const cell = this.cell(field.path.slice('origin.'.length));
      const held: Held = { kind: 'cell', data: cell };
      if (field.type === 'number') return quietly(() => readNumber(withPlainFigure(held, options)));
      if (field.type === 'boolean') return quietly(() => readBoolean(held));
      return seen(cell, this.#facts.epoch);
    }
    const [, rule, part] = field.path.split('.');
    const held = this.#made.get(Number(rule)) ?? NOTHING;
    if (held.kind === 'cell') return seen(held.data as Cell, this.#facts.epoch);
    return columnsOf(held)[part === undefined ? 0 : part === 'days' ? 2 : 1] ?? null;
  }
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch (problem) {
    if (problem instanceof Problem) return null;
    throw problem;
  }
}

const scaled = (held: Held, factor: number): Held =>
  factor === 1
    ? { kind: 'number', data: readNumber(held), exact: keptDigits(held) }
    : perNumber(
        held,
        (value) => finite(value * factor, REASONS.tooLarge),
        (digits) => productOf(digits, decimalOf(factor)),
      );
