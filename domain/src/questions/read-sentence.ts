import { isCalendarDate } from '../dates/calendar-date.ts';
import type { Field, FieldCatalog } from '../filters/catalog.ts';
import {
  type Comparison,
  type Condition,
  EVERYTHING,
  type Filter,
  joinFilters,
  type Literal,
} from '../filters/filter.ts';
import { escapeLike } from '../filters/like.ts';
import { readLiteral } from '../filters/literal.ts';
import { OPERATOR_WORDS, operatorsFor, TIME_WORDS } from '../filters/operators.ts';
import { FILTER_LIMITS } from '../filters/parse.ts';
import { describeCode } from '../filters/spoken-value.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Reads a sentence exactly as `filterToSentence` writes filters; null if it is not one. */
export function readSentence(sentence: string, catalog: FieldCatalog): Filter | null {
  return new SentenceReader(sentence, catalog).read();
}

class SentenceReader {
  private readonly text: string;
  private readonly fields: ReadonlyMap<string, readonly Field[]>;
  private at = 0;

  constructor(text: string, catalog: FieldCatalog) {
    this.text = text;
    // Labels by their first three characters, the longest first.
    const fields = new Map<string, Field[]>();
    for (const field of catalog.fields) {
      const key = field.label.slice(0, 3);
      const others = fields.get(key);
      if (others) others.push(field);
      else fields.set(key, [field]);
    }
    for (const group of fields.values()) group.sort((a, b) => b.label.length - a.label.length);
    this.fields = fields;
  }

  read(): Filter | null {
    const filter = this.readGroup(0);
    return filter && this.at === this.text.length ? filter : null;
  }

  private take(word: string): boolean {
    const isThere = this.text.startsWith(word, this.at);
    if (isThere) this.at += word.length;
    return isThere;
  }

  /** The first word of a sentence has a capital letter. */
  private takeOpening(word: string): boolean {
    if (this.take(word)) return true;
    return this.at === 0 && this.take(word.charAt(0).toUpperCase() + word.slice(1));
  }

  private readGroup(depth: number): Filter | null {
    const first = this.readPart(depth);
    if (!first) return null;
    const kind = this.text.startsWith(' or ', this.at) ? 'or' : 'and';
    const parts = [first];
    while (this.take(` ${kind} `)) {
      const part = this.readPart(depth);
      if (!part) return null;
      parts.push(part);
    }
    return joinFilters(kind, parts);
  }

  private readPart(depth: number): Filter | null {
    const isNegated = this.takeOpening('not (');
    if (isNegated || this.take('(')) {
      const inner = depth < FILTER_LIMITS.depth ? this.readGroup(depth + 1) : null;
      if (!inner || !this.take(')')) return null;
      return isNegated ? { kind: 'not', filter: inner } : inner;
    }
    const condition = this.readCondition();
    if (condition) return condition;
    if (this.takeOpening('everything')) return EVERYTHING;
    return this.takeOpening('nothing') ? { kind: 'not', filter: EVERYTHING } : null;
  }

  private readCondition(): Filter | null {
    const start = this.at;
    for (const field of this.fields.get(this.text.slice(start, start + 3)) ?? this.shortLabels(start)) {
      this.at = start;
      const condition = this.take(`${field.label} `) ? this.readPredicate(field) : null;
      if (condition && this.isAtBoundary()) return condition;
    }
    this.at = start;
    return null;
  }

  private shortLabels(start: number): Field[] {
    return [2, 1, 0].flatMap((length) => this.fields.get(this.text.slice(start, start + length)) ?? []);
  }

  private isAtBoundary(): boolean {
    return this.at === this.text.length || /^(,|\)| and | or | nor )/.test(this.text.slice(this.at, this.at + 5));
  }

  private readPredicate(field: Field): Filter | null {
    const exists = this.readExistence(field);
    if (exists) return exists;
    if (field.type === 'text') {
      const pattern = this.readPattern(field);
      if (pattern !== undefined) return pattern;
    }
    const range = this.readRange(field);
    if (range !== undefined) return range;
    if (this.take('is one of no values')) return { kind: 'list', field, operator: 'in', values: [] };
    if (this.take('is anything')) return { kind: 'list', field, operator: 'nin', values: [] };
    if (this.take('is neither ') || this.take('is none of ')) return this.readList(field, 'nin');
    const start = this.at;
    for (const operator of ['gte', 'gt', 'lte', 'lt'] as const) {
      if (this.takeOperator(field, operator)) return this.readComparison(field, operator) ?? this.backTo(start);
    }
    if (this.take('is not ')) return this.readComparison(field, 'neq');
    return this.take('is ') ? this.readList(field, 'in') : null;
  }

  private backTo(start: number): null {
    this.at = start;
    return null;
  }

  private readExistence(field: Field): Condition | null {
    for (const [words, exists] of [
      ['is known', true],
      ['is missing', false],
    ] as const) {
      const start = this.at;
      if (this.take(words) && this.isAtBoundary()) return { kind: 'exists', field, operator: 'exists', exists };
      this.at = start;
    }
    return null;
  }

  private takeOperator(field: Field, operator: Comparison): boolean {
    const isTime = field.type === 'date' || field.type === 'instant';
    const words = (isTime ? TIME_WORDS[operator] : undefined) ?? OPERATOR_WORDS[operator];
    return operatorsFor(field.type).includes(operator) && this.take(`${words} `);
  }

  private readComparison(field: Field, operator: Comparison): Condition | null {
    const value = this.readValue(field);
    return value === null ? null : { kind: 'compare', field, operator, value };
  }

  private readRange(field: Field): Filter | null | undefined {
    if (field.type === 'text' || field.type === 'boolean') return undefined;
    const isNegated = this.take('is not between ');
    if (!isNegated && !this.take('is between ')) return undefined;
    const low = this.readComparison(field, 'gte');
    const high = low && this.take(' and ') ? this.readComparison(field, 'lte') : null;
    if (!low || !high) return null;
    const range = joinFilters('and', [low, high]);
    return isNegated ? { kind: 'not', filter: range } : range;
  }

  private readList(field: Field, operator: 'in' | 'nin'): Filter | null {
    const values: Literal[] = [];
    for (;;) {
      const value = this.readValue(field);
      if (value === null) return null;
      values.push(value);
      if (values.length > FILTER_LIMITS.listValues) return null;
      const start = this.at;
      if (this.take(', ')) continue;
      // "or" before a value goes on with the list; before a field it joins conditions.
      if ((this.take(' or ') || this.take(' nor ')) && this.readLastValue(field, values)) break;
      this.at = start;
      if (values.length > 1 && this.text.startsWith(' or ', start)) return null;
      break;
    }
    const [only] = values;
    if (only !== undefined && values.length === 1) {
      return { kind: 'compare', field, operator: operator === 'in' ? 'eq' : 'neq', value: only };
    }
    return { kind: 'list', field, operator, values: [...new Set(values)] };
  }

  private readLastValue(field: Field, values: Literal[]): boolean {
    const start = this.at;
    if (this.text.startsWith('(', start) || this.text.startsWith('not (', start)) return false;
    if (this.readCondition()) {
      this.at = start;
      return false;
    }
    const value = this.readValue(field);
    if (value === null || !this.isAtBoundary()) return false;
    values.push(value);
    return true;
  }

  private readPattern(field: Field): Filter | null | undefined {
    for (const [words, isNegated] of [
      ['is any text', false],
      ['is not any text', true],
    ] as const) {
      const start = this.at;
      if (this.take(words) && this.isAtBoundary()) return this.like(field, '%', isNegated);
      this.at = start;
    }
    const shapes = [
      ['contains ', 'does not contain ', '%', '%'],
      ['starts with ', 'does not start with ', '', '%'],
      ['ends with ', 'does not end with ', '%', ''],
    ] as const;
    for (const [words, negative, before, after] of shapes) {
      const isNegated = this.take(negative);
      if (!isNegated && !this.take(words)) continue;
      const text = this.readText();
      return text === null ? null : this.like(field, `${before}${escapeLike(text)}${after}`, isNegated);
    }
    const isUnlike = this.take('is not like ');
    if (isUnlike || this.take('is like ')) {
      const pattern = this.readText();
      return pattern === null ? null : this.like(field, pattern, isUnlike);
    }
    const isUnmatched = this.take('does not match the pattern ');
    if (!isUnmatched && !this.take('matches the pattern ')) return undefined;
    const pattern = this.readText();
    if (pattern === null) return null;
    const matches: Condition = {
      kind: 'regex',
      field,
      operator: 'regex',
      pattern,
      ignoreCase: this.take(' in any case'),
    };
    return isUnmatched ? { kind: 'not', filter: matches } : matches;
  }

  private like(field: Field, pattern: string, isNegated: boolean): Filter {
    const like: Condition = { kind: 'like', field, operator: 'like', pattern };
    return isNegated ? { kind: 'not', filter: like } : like;
  }

  private readValue(field: Field): Literal | null {
    switch (field.type) {
      case 'text':
        return this.readTextOf(field);
      case 'boolean':
        return this.take('yes') ? true : this.take('no') ? false : null;
      case 'date':
        return this.readDay();
      case 'instant':
        return this.readInstant();
      default:
        return this.readNumber(field);
    }
  }

  private readTextOf(field: Field): string | null {
    if (this.text[this.at] === '“') return this.readText();
    const start = this.at;
    const words = this.readText();
    if (words === null || !field.values) return words;
    const code = field.values.find((one) => describeCode(one) === words);
    if (code !== undefined) return code;
    this.at = start;
    return null;
  }

  /** A text in quotes, in which a closing quote is written twice; or up to what ends a value. */
  private readText(): string | null {
    if (this.text[this.at] === '“') {
      const quoted = /“((?:[^”]|””)*)”(?!”)/y;
      quoted.lastIndex = this.at;
      const match = quoted.exec(this.text);
      if (!match) return null;
      this.at = quoted.lastIndex;
      return (match[1] ?? '').replaceAll('””', '”');
    }
    const plain = /(?:(?!,|[()“”]|\s(?:and|or|nor)\s| in any case)[\s\S])+/iy;
    plain.lastIndex = this.at;
    const match = plain.exec(this.text);
    if (!match) return null;
    this.at = plain.lastIndex;
    return match[0];
  }

  private readNumber(field: Field): Literal | null {
    const written = /-?\d[\d,]*(?:\.\d+)?/y;
    written.lastIndex = this.at;
    const match = written.exec(this.text);
    if (!match) return null;
    const digits = match[0].replace(/,$/, '');
    this.at += digits.length;
    if (field.unit === '%') {
      if (!this.take('%')) return null;
    } else if (field.unit && !this.take(` ${field.unit}`) && !this.take(` ${field.unit.replace(/s$/, '')}`))
      return null;
    const plain = digits.replaceAll(',', '');
    const reading = readLiteral(field.type, field.type === 'number' ? Number(plain) : plain);
    return 'literal' in reading ? reading.literal : null;
  }

  private readDay(): string | null {
    const written = /(\d{1,2}) ([A-Z][a-z]{2}) (\d{4})/y;
    written.lastIndex = this.at;
    const match = written.exec(this.text);
    const month = MONTHS.indexOf(match?.[2] ?? '') + 1;
    const day = `${match?.[3]}-${String(month).padStart(2, '0')}-${match?.[1]?.padStart(2, '0')}`;
    if (!match || !isCalendarDate(day)) return null;
    this.at = written.lastIndex;
    return day;
  }

  private readInstant(): string | null {
    const day = this.readDay();
    const written = / (\d{2}:\d{2})(:\d{2})?(\.\d{3})? UTC/y;
    written.lastIndex = this.at;
    const match = day ? written.exec(this.text) : null;
    if (!match) return null;
    this.at = written.lastIndex;
    const reading = readLiteral('instant', `${day}T${match[1]}${match[2] ?? ':00'}${match[3] ?? ''}Z`);
    return 'literal' in reading ? String(reading.literal) : null;
  }
}
