import { Refusal } from '../../errors/refusal.ts';
import { add, type DecimalText, subtract } from '../../money/decimal.ts';
import type { BorrowingBaseResult } from '../result.ts';
import { BORROWING_BASE_STEPS } from '../waterfall.ts';
import { type BaseLine, baseLines } from './base-lines.ts';
import { CAUSES, type Cause } from './causes.ts';

/** A line of both certificates, and what each cause adds to it. */
export interface ExplainedLine extends Omit<BaseLine, 'sum'> {
  readonly earlier: DecimalText;
  readonly later: DecimalText;
  readonly difference: DecimalText;
  /** In the order of CAUSES. They and what is not explained add up to the difference. */
  readonly effects: readonly DecimalText[];
  readonly notExplained: DecimalText;
}

/** The figures of a line as a file shows them in a row: both sides, their difference, its causes and the rest. */
export const figuresOfLine = ({ earlier, later, difference, effects, notExplained }: ExplainedLine) => [
  earlier,
  later,
  difference,
  ...effects,
  notExplained,
];

export const EXPLAINED_FIGURES = ['availability', 'availableBase', 'netBB'] as const;
/** The figure whose difference is explained. */
export type ExplainedFigure = (typeof EXPLAINED_FIGURES)[number];

export interface ExplainedCause {
  readonly cause: Cause;
  /** On the net borrowing base: the effects of the loans add up to it. */
  readonly netEffect: DecimalText;
  /** On the figure. */
  readonly effect: DecimalText;
}

/** Why one certificate differs from another: later less earlier. */
export interface ExplainedDifference {
  readonly currency: string;
  readonly figure: ExplainedFigure;
  readonly lines: readonly ExplainedLine[];
  readonly causes: readonly ExplainedCause[];
  /** The line of the figure. */
  readonly total: ExplainedLine;
}

/** The result once the parts up to a cause are those of the later certificate. */
export interface StepResult {
  /** Null for the earlier certificate, calculated again. */
  readonly cause: Cause | null;
  readonly result: BorrowingBaseResult;
}

/** @throws Refusal if the certificates are in two currencies: no amount of one can be taken off one of the other */
export function requireComparable(
  earlier: Pick<BorrowingBaseResult, 'currency'>,
  later: Pick<BorrowingBaseResult, 'currency'>,
): void {
  if (earlier.currency === later.currency) return;
  const message = `Certificates in ${earlier.currency} and ${later.currency} cannot be compared. Choose one in the same currency.`;
  throw new Refusal('badRequest', message);
}

type Lines = ReadonlyMap<string, BaseLine>;

/** The value of a line. A certificate without the line has zero, and without an available base the net one. */
function valueIn(lines: Lines, key: string): DecimalText | null {
  const line = lines.get(key) ?? (key === 'availableBase' ? lines.get('netBB') : undefined);
  if (line) return line.sum;
  return key === 'availability' || key === 'balance' ? null : '0';
}

/** Of the lines of all results: in the order of the waterfall, those of a step in the order in which they are found. */
function keysOf(all: readonly Lines[]): BaseLine[] {
  const found = new Map<string, BaseLine>();
  for (const lines of all) {
    for (const [key, line] of lines) if (!found.has(key)) found.set(key, line);
  }
  return [...found.values()].sort(
    (a, b) => BORROWING_BASE_STEPS.indexOf(a.step) - BORROWING_BASE_STEPS.indexOf(b.step),
  );
}

/**
 * What each cause adds to each line of a certificate: the difference of two steps.
 * @param steps the results of `causeSteps`, in order
 * @throws Refusal as `requireComparable` does
 */
export function explainDifference(
  earlier: BorrowingBaseResult,
  later: BorrowingBaseResult,
  steps: readonly StepResult[],
): ExplainedDifference {
  requireComparable(earlier, later);
  const linesOf = (result: BorrowingBaseResult): Lines => new Map(baseLines(result).map((line) => [line.key, line]));
  const [was, is] = [linesOf(earlier), linesOf(later)];
  const between = steps.map(({ result }) => linesOf(result));
  const all = [was, ...between, is];
  const isKnown = (key: string) => all.every((lines) => valueIn(lines, key) !== null);
  const keys = keysOf(all);
  // The last figure that every step knows: a note without draws has no availability.
  const figure = EXPLAINED_FIGURES.find((one) => keys.some(({ key }) => key === one) && isKnown(one)) ?? 'netBB';
  const end = BORROWING_BASE_STEPS.indexOf(figure);
  const value = (lines: Lines, key: string): DecimalText => valueIn(lines, key) ?? '0';
  const explain = ({ sum: _, ...line }: BaseLine): ExplainedLine => {
    const { key } = line;
    const [before, after] = [value(was, key), value(is, key)];
    const effects = CAUSES.map((cause) => {
      const index = steps.findIndex((step) => step.cause === cause);
      const [of, previous] = [between[index], between[index - 1]];
      return of && previous ? subtract(value(of, key), value(previous, key)) : '0';
    });
    const explained = effects.reduce((total, effect) => add(total, effect), '0');
    const difference = subtract(after, before);
    return {
      ...line,
      earlier: before,
      later: after,
      difference,
      effects,
      notExplained: subtract(difference, explained),
    };
  };
  const lines = keys.filter(({ step }) => BORROWING_BASE_STEPS.indexOf(step) <= end).map(explain);
  const lineOf = (key: ExplainedFigure): ExplainedLine => {
    const line = lines.find((one) => one.key === key);
    if (!line) throw new Error(`a certificate has no ${key}`);
    return line;
  };
  const [net, total] = [lineOf('netBB'), lineOf(figure)];
  return {
    currency: later.currency,
    figure,
    lines,
    causes: CAUSES.map((cause, index) => ({
      cause,
      netEffect: net.effects[index] ?? '0',
      effect: total.effects[index] ?? '0',
    })),
    total,
  };
}
