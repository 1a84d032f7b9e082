import { unstable_coerceFormValue as coerceFormValue, parseWithZod } from '@conform-to/zod/v4';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { typedDates } from '@tapeline/domain/dates/written-date.ts';
import { CHOSEN, type Chosen } from '@tapeline/domain/documents/chosen.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { NUMBER_KINDS } from '@tapeline/domain/documents/number.schema.ts';
import { plainMessage } from '@tapeline/domain/errors/issues.ts';
import { isCurrencyCode } from '@tapeline/domain/money/minor-units.ts';
import { type NumberForm, readTypedNumber, textOfUnread } from '@tapeline/domain/money/typed-number.ts';
import { z } from 'zod';
import { CURRENCY_FIELD, formOfUnit, MANY_DECIMALS, PERCENT_FORM, PERCENT_UNIT } from './number-units.ts';

const isWhole = (type: z.core.$ZodType): boolean => type instanceof z.ZodNumber && type.isInt;

/** How the numbers of a schema are written; null if it is no number. */
function formOf(type: z.core.$ZodType, currency: string | null): NumberForm | null {
  switch (NUMBER_KINDS.get(type)?.kind) {
    case 'money':
      return formOfUnit(currency);
    case 'quantity':
      return formOfUnit(null);
    case 'percent':
      return PERCENT_FORM;
    case 'factor':
      return { decimals: MANY_DECIMALS };
    case undefined: {
      const { def } = (type as z.core.$ZodTypes)._zod;
      // A number that another schema goes on with is what that one says.
      if (def.type === 'pipe' && NUMBER_KINDS.get(def.out)) return formOf(def.out, currency);
      if (type._zod.def.type !== 'number') return null;
      return { decimals: isWhole(type) ? 0 : MANY_DECIMALS };
    }
  }
}

/** Takes the place of a text that is not read, and is refused by every schema. */
const UNREAD = Symbol('unread');

const NOT_OFFERED = 'must be one of the choices';
const NOT_A_DATE = 'must be a date, for example 31 Oct 2026';

type Path = readonly (string | number)[];
const nameOf = (path: Path): string => path.join('.');

/** Reads the numbers, dates and choices of a form wherever its schema has one. */
class TypedTexts {
  /** What is wrong with the texts that are not read, by the path of their field. */
  readonly problems = new Map<string, string>();

  read(schema: z.core.$ZodType, value: unknown, currency: string | null, path: Path): unknown {
    if (value === undefined || value === null || value === '') return value;
    const form = formOf(schema, currency);
    if (form) return typeof value === 'string' && value.trim() !== '' ? this.#readNumber(value, form, path) : value;
    const chosen = CHOSEN.get(schema)?.is;
    if (chosen) return typeof value === 'string' ? this.#readChosen(value, chosen, path) : value;
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'optional':
      case 'nonoptional':
      case 'nullable':
      case 'default':
      case 'prefault':
      case 'catch':
      case 'readonly':
        return this.read(def.innerType, value, currency, path);
      case 'lazy':
        return this.read(def.getter(), value, currency, path);
      case 'pipe':
        return this.read(def.out, this.read(def.in, value, currency, path), currency, path);
      case 'intersection':
        return this.read(def.right, this.read(def.left, value, currency, path), currency, path);
      case 'union':
        return this.#readUnion(
          def as { options: readonly z.core.$ZodType[]; discriminator?: string },
          value,
          currency,
          path,
        );
      case 'array':
        return Array.isArray(value)
          ? value.map((entry, index) => this.read(def.element, entry, currency, [...path, index]))
          : this.read(def.element, value, currency, path);
      case 'record':
        return isGroup(value)
          ? mapValues(value, (entry, name) => this.read(def.valueType, entry, currency, [...path, name]))
          : value;
      case 'enum':
        return typeof value === 'string' && !Object.values(def.entries).includes(value)
          ? this.#refuse(path, NOT_OFFERED)
          : value;
      case 'object':
        return isGroup(value) ? this.#readGroup(def.shape, value, currency, path) : value;
      default:
        return value;
    }
  }

  #refuse(path: Path, why: string): symbol {
    this.problems.set(nameOf(path), why);
    return UNREAD;
  }

  #readNumber(text: string, form: NumberForm, path: Path): string | symbol {
    const read = readTypedNumber(text, form);
    return read.problem === null ? read.value : this.#refuse(path, textOfUnread(read, text, form));
  }

  #readChosen(text: string, chosen: Chosen, path: Path): string | symbol {
    switch (chosen) {
      case 'document':
        return isId(text.toLowerCase()) ? text : this.#refuse(path, NOT_OFFERED);
      case 'currency':
        return isCurrencyCode(text) ? text : this.#refuse(path, NOT_OFFERED);
      case 'day': {
        const [date, other] = typedDates(text);
        if (date === undefined) return this.#refuse(path, NOT_A_DATE);
        if (other === undefined) return date;
        const [one, two] = [date, other].map(formatCalendarDate);
        return this.#refuse(path, `is unclear: ${text.trim()} can mean ${one} or ${two}. Enter the one you mean`);
      }
      case 'class':
      case 'country':
      case 'organization':
      case 'file':
        return text;
    }
  }

  #readGroup(
    shape: Readonly<Record<string, z.core.$ZodType>>,
    value: Readonly<Record<string, unknown>>,
    outer: string | null,
    path: Path,
  ): unknown {
    const named = value[CURRENCY_FIELD];
    // A fee whose unit is no currency is per cent.
    const unnamed = Object.hasOwn(shape, 'sum') && Object.hasOwn(shape, CURRENCY_FIELD) ? PERCENT_UNIT : outer;
    const currency = typeof named === 'string' && named !== '' ? named : unnamed;
    return mapValues(value, (entry, name) =>
      Object.hasOwn(shape, name) ? this.read(shape[name]!, entry, currency, [...path, name]) : entry,
    );
  }

  /** A text that may be a code as well as a number is left to the schema. */
  #readUnion(
    { options, discriminator }: { options: readonly z.core.$ZodType[]; discriminator?: string },
    value: unknown,
    currency: string | null,
    path: Path,
  ): unknown {
    const isText = typeof value === 'string';
    if (isText && options.some(({ _zod }) => ['enum', 'literal', 'string'].includes(_zod.def.type))) return value;
    if (discriminator !== undefined && isGroup(value)) {
      const kind = value[discriminator];
      const chosen = options.filter(({ _zod }) => _zod.propValues?.[discriminator]?.has(kind as string));
      if (chosen.length === 0 && kind) this.problems.set(nameOf([...path, discriminator]), NOT_OFFERED);
      return chosen.reduce((read, option) => this.read(option, read, currency, path), value as unknown);
    }
    return options.reduce((read, option) => this.read(option, read, currency, path), value);
  }
}

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const mapValues = (
  group: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(group).map(([name, value]) => [name, map(value, name)]));

/**
 * Reads a form by its schema. Numbers are read as people write them (`readTypedNumber`); what is entered stays in the
 * answer as it was entered. Every form is read here, in the browser and by the server.
 */
export function parseForm<Schema extends z.ZodType>(form: FormData | URLSearchParams, schema: Schema) {
  const texts = new TypedTexts();
  const reader: z.ZodType = z.transform((value: unknown) => texts.read(schema, value, null, []));
  // The pipe has the output of the schema; its type is lost in the library's rebuilt schema.
  const read = reader.pipe(coerceFormValue(schema)) as z.ZodType as Schema;
  return parseWithZod(form, {
    schema: read,
    disableAutoCoercion: true,
    error: plainMessage,
    formatError: (issues: readonly z.core.$ZodIssue[]): string[] => [
      ...new Set(issues.map(({ path, message }) => texts.problems.get(nameOf(path as Path)) ?? message)),
    ],
  });
}
