import type { Formula } from '@tapeline/domain/tapes/formulas/formula.ts';
import type { FormulaType } from '@tapeline/domain/tapes/formulas/formula-type.ts';
import type { PlannedFormula, PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import { DAYS_OF_UNIT } from '@tapeline/domain/tapes/serialization.schema.ts';
import {
  ABSOLUTE,
  changeNumber,
  combineNumbers,
  constantSide,
  NEGATED,
  type NumberSide,
  rounded,
  sideOf,
} from './arithmetic-steps.ts';
import { convertDate, firstOf } from './conversions.ts';
import { digitsOf } from './exact-numbers.ts';
import { type Fragment, numberConstant, raw, sql } from './sql.ts';
import { inColumn, type StepContext } from './step-context.ts';
import { MISSING, missingOf, type Outcome, part, single, type Value } from './values.ts';

/** The time from one date to another, in a unit of so many days. */
export function timeBetween(from: Fragment, to: Fragment, unit: keyof typeof DAYS_OF_UNIT): Fragment {
  const days = sql`CAST(${to} - ${from} AS DOUBLE)`;
  return unit === 'days' ? days : sql`${days} / ${numberConstant(DAYS_OF_UNIT[unit])}`;
}

export function calculateStep(context: StepContext, planned: PlannedStep, input: Value): Outcome {
  if (!planned.formula) throw new Error('A calculate step was planned without its formula');
  return new FormulaCompiler(context, planned, planned.formula, input).compile();
}

/** Compiles a formula. Each part becomes columns of its own, as the steps of the same arithmetic. */
class FormulaCompiler {
  readonly #context: StepContext;
  readonly #planned: PlannedStep;
  readonly #formula: PlannedFormula;
  readonly #input: Value;
  #parts = 0;

  constructor(context: StepContext, planned: PlannedStep, formula: PlannedFormula, input: Value) {
    this.#context = context;
    this.#planned = planned;
    this.#formula = formula;
    this.#input = input;
  }

  compile(): Outcome {
    const { formula, type } = this.#formula;
    return this.#compile(formula, type);
  }

  #compile(formula: Formula, type: FormulaType): Outcome {
    return type === 'date' ? this.#date(formula) : this.#number(formula).read;
  }

  #name(): string {
    this.#parts += 1;
    return `${this.#context.name}_f${this.#parts}`;
  }

  /** A column's value, and its error with the column's name. */
  #column<Read>(column: string, read: (value: Value) => Read, outcomeOf: (read: Read) => Outcome): [Read, Outcome] {
    const source = this.#planned.columns.get(column);
    const found = read(source ? this.#context.read(source) : MISSING);
    const { value, error } = outcomeOf(found);
    return [found, { value, error: inColumn(this.#context, column, error) }];
  }

  #number(formula: Formula): NumberSide {
    const context = this.#context;
    switch (formula.kind) {
      case 'number':
        return constantSide(formula.value);
      case 'value':
        return sideOf(context, this.#input, this.#planned.figures.get(null), this.#name());
      case 'column': {
        const [side, read] = this.#column(
          formula.name,
          (value) => sideOf(context, value, this.#planned.figures.get(formula.name), this.#name()),
          (each) => each.read,
        );
        return { ...side, read };
      }
      case 'negate':
        return calculated(changeNumber(context, this.#number(formula.of).read, NEGATED, this.#name()));
      case 'absolute':
        return calculated(changeNumber(context, this.#number(formula.of).read, ABSOLUTE, this.#name()));
      case 'round':
        return calculated(changeNumber(context, this.#number(formula.of).read, rounded(formula.digits), this.#name()));
      case 'combine': {
        const sides = [this.#number(formula.left), this.#number(formula.right)] as const;
        return calculated(combineNumbers(context, formula.operation, sides, this.#name()));
      }
      case 'between': {
        // The date that is written first is read first.
        const [to, from] = [this.#date(formula.to), this.#date(formula.from)];
        const time = timeBetween(part(from.value), part(to.value), formula.unit);
        const value = single('number', context.compilation.layers.define(this.#name(), time));
        return calculated({ value, error: firstOf([to.error, from.error]) });
      }
      default:
        throw new Error(`A formula has a ${formula.kind} where a number is needed`);
    }
  }

  #date(formula: Formula): Outcome {
    const { compilation, cutOffDate } = this.#context;
    const read = (value: Value, column: string | null): Outcome =>
      value.kind === 'missing'
        ? { value: missingOf('date'), error: null }
        : convertDate(compilation, value, this.#formula.forms.get(column) ?? { format: 'ISO' }, this.#name());
    switch (formula.kind) {
      case 'cutOff':
        return { value: single('date', raw(`DATE '${cutOffDate}'`)), error: null };
      case 'value':
        return read(this.#input, null);
      case 'column':
        return this.#column(
          formula.name,
          (value) => read(value, formula.name),
          (outcome) => outcome,
        )[1];
      case 'combine': {
        const [left, right] = [this.#date(formula.left), this.#date(formula.right)];
        const [a, b] = [part(left.value), part(right.value)];
        const chosen =
          formula.operation === 'min'
            ? sql`CASE WHEN ${a} <= ${b} THEN ${a} WHEN ${b} < ${a} THEN ${b} END`
            : sql`CASE WHEN ${a} >= ${b} THEN ${a} WHEN ${b} > ${a} THEN ${b} END`;
        const value = single('date', compilation.layers.define(this.#name(), chosen));
        return { value, error: firstOf([left.error, right.error]) };
      }
      default:
        throw new Error(`A formula has a ${formula.kind} where a date is needed`);
    }
  }
}

const calculated = (read: Outcome): NumberSide => ({ read, digits: digitsOf(read.value, part(read.value)) });
