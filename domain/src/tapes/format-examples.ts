import { formatCalendarDate } from '../dates/calendar-date.ts';
import { dateDigits, orderedDate } from './ordered-dates.ts';
import { plainFigure } from './plain-figure.ts';
import {
  DATE_ORDERS,
  type DateOrder,
  DECIMAL_SIGNS,
  type DecimalSign,
  NEGATIVES,
  type Negative,
} from './serialization.schema.ts';

const dateOf = (text: string, order: DateOrder, firstYear?: number): string | null =>
  orderedDate(/^\d+$/.test(text.trim()) ? (dateDigits(Number(text), order) ?? text) : text, order, firstYear);

const figureOf = (text: string, decimal: DecimalSign | undefined, negative?: Negative): number | null => {
  const plain = plainFigure(text.replace(/[^\d.,'’()\s%+-]/gu, ''), { decimal, negative }).replace(/[%\s]/g, '');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
};

/** Of some values, the one that the choices read most differently. */
function tellingValue<Choice extends string>(
  values: readonly string[],
  choices: readonly Choice[],
  read: (text: string, choice: Choice) => string | number | null,
): string | null {
  const scored = values.map((text) => {
    const results = choices.map((choice) => read(text, choice)).filter((result) => result !== null);
    return { text, count: results.length === 0 ? 0 : new Set(results).size + results.length / 100 };
  });
  return scored.reduce((best, each) => (each.count > best.count ? each : best), { text: null, count: 0 } as {
    text: string | null;
    count: number;
  }).text;
}

/**
 * What one of a column's own values becomes with each choice of an option, for a person who chooses: `03.04.24 is 3 Apr 2024`.
 * Empty for other options, and for values that no choice reads.
 */
export function choiceExamples(
  option: string,
  values: readonly string[],
  firstYear?: number,
): ReadonlyMap<string, string> {
  const examples = new Map<string, string>();
  const add = (text: string | null, choice: string, result: string | null): void => {
    if (text !== null) examples.set(choice, `${text} is ${result ?? 'not read'}`);
  };
  if (option === 'order') {
    const read = (text: string, order: DateOrder) => dateOf(text, order, firstYear);
    const text = tellingValue(values, DATE_ORDERS, read);
    for (const order of DATE_ORDERS) {
      const date = text === null ? null : read(text, order);
      add(text, order, date && formatCalendarDate(date));
    }
  }
  if (option === 'decimal') {
    const text = tellingValue(values, DECIMAL_SIGNS, figureOf);
    for (const sign of DECIMAL_SIGNS) {
      const figure = text === null ? null : figureOf(text, sign);
      add(text, sign, figure === null ? null : String(figure));
    }
  }
  if (option === 'scale') {
    const [text = null] = values.filter((each) => !each.includes('%') && (figureOf(each, undefined) ?? 0) !== 0);
    const figure = text === null ? null : figureOf(text, undefined);
    if (figure !== null) {
      add(text, 'zeroTo100', `${figure}%`);
      add(text, 'zeroTo1', `${Number((figure * 100).toPrecision(12))}%`);
    }
  }
  if (option === 'negative') {
    const bySign = (text: string, negative: Negative) =>
      figureOf(text, 'point', negative) ?? figureOf(text, 'comma', negative);
    const text = tellingValue(
      values.filter((each) => /[()]|-\s*$/.test(each)),
      NEGATIVES,
      bySign,
    );
    for (const negative of NEGATIVES) {
      const figure = text === null ? null : bySign(text, negative);
      add(text, negative, figure === null ? null : String(figure));
    }
  }
  return examples;
}
