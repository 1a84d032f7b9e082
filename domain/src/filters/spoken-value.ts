import { formatCalendarDate } from '../dates/calendar-date.ts';
import { codeInSentence } from '../documents/code-labels.ts';
import { decimalOf } from '../money/decimal.ts';
import type { Field } from './catalog.ts';
import type { Literal } from './filter.ts';
import { isStateCode, isStateField } from './states-of-america.ts';

/** A literal as people read it: "5%", "31 Oct 2026", "yes", "1,250,000 USD". */
export function describeValue(field: Field, literal: Literal): string {
  switch (field.type) {
    case 'text':
      // In a question, Texas or tx means the code. Quoted, it means itself.
      if (isStateField(field) && !isStateCode(String(literal))) return quoteText(String(literal));
      if (!field.values) return describeText(String(literal));
      // A text that is not among the field's codes is quoted, because a code may be written with the same words.
      return field.values.includes(String(literal)) ? describeCode(String(literal)) : quoteText(String(literal));
    case 'boolean':
      return literal ? 'yes' : 'no';
    case 'date':
      return formatCalendarDate(String(literal));
    case 'instant':
      return describeInstant(String(literal));
    case 'number':
    case 'decimal': {
      const number = describeNumber(decimalOf(literal as number | string));
      if (field.unit === '%') return `${number}%`;
      return field.unit ? `${number} ${number === '1' ? singular(field.unit) : field.unit}` : number;
    }
  }
}

/** "1 day", "1 USD". */
const singular = (unit: string): string => (/^[a-z]{2,}s$/.test(unit) ? unit.slice(0, -1) : unit);

/** A code of a fixed list in words: pastDue is "past due"; codes that are not words (USD) stay. */
export const describeCode = (code: string): string =>
  codeInSentence(code) ??
  (/^[a-z]+([A-Z][a-z]+)+$/.test(code)
    ? code.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    : describeText(code));

/** Words that begin what is said about a field, and so cannot begin a plain text. */
const PREDICATES =
  /^(known|missing|not|one of|anything|any text|between|neither|none|like|at least|at most|more than|less than)\b/i;

/** Quoted only if it could be mistaken for the sentence around it. */
export function describeText(text: string): string {
  const isPlain =
    text !== '' &&
    !/^\s|\s$|[,()“”]|\s(and|or|nor|is|contains|starts|ends|does|matches)\s|\sin any case/i.test(text) &&
    !PREDICATES.test(text);
  return isPlain ? text : quoteText(text);
}

/** A closing quote within the text is written twice. */
export const quoteText = (text: string): string => `“${text.replaceAll('”', '””')}”`;

/** Thousands are grouped from five digits on, so that a year stays a year. */
export function describeNumber(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const digits = whole.replace('-', '');
  const grouped = digits.length < 5 ? whole : whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function describeInstant(instant: string): string {
  const date = formatCalendarDate(instant.slice(0, 10));
  const time = instant.endsWith(':00.000Z')
    ? instant.slice(11, 16)
    : instant.slice(11, instant.endsWith('.000Z') ? 19 : 23);
  return `${date} ${time} UTC`;
}
