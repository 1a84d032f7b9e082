import { LONGEST_TEXT } from '@tapeline/domain/tapes/longest-text.ts';
import type { FigureOptions } from '@tapeline/domain/tapes/serialization.schema.ts';
import type { ValueKind } from '@tapeline/domain/tapes/value-kinds.ts';
import { byTag, factsOf, holdsNumbersOnly, mayBe, problemByTag, unlessBlank } from './cells.ts';
import { exactPart, withExact } from './exact-numbers.ts';
import { type Fragment, join, NULL_TEXT, raw, sql, text } from './sql.ts';
import { type Compilation, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

const NO_NUMBER = raw('CAST(NULL AS DOUBLE)');

/** The date of a serial. NULL if the serial has no date. */
export function serialDate(compilation: Compilation, value: Value): Fragment {
  const n = part(value, value.kind === 'cell' ? 'n' : 'value');
  const { serials, whole } = factsOf(value);
  if (!serials) return sql`tape_serial_${compilation.epoch}(${n})`;
  const day = whole ? n : sql`tape_day(${n})`;
  return sql`(DATE '${compilation.epoch === 1900 ? '1899-12-30' : '1904-01-01'}' + CAST(${day} AS INTEGER))`;
}

const numberText = (value: Value, n: Fragment): Fragment => {
  const { whole, below } = factsOf(value);
  return whole && below <= 1e13 ? sql`CAST(CAST(${n} AS BIGINT) AS VARCHAR)` : sql`tape_number_text(${n})`;
};

/** The text that a cell displays. Errors give their own text. NULL if blank. The result is not yet a column. */
export function shownCell(compilation: Compilation, cell: Value): Fragment {
  const { n, s } = cell.parts as Record<'n' | 's', Fragment>;
  const { serials, whole } = factsOf(cell);
  return byTag(
    cell,
    {
      text: unlessBlank(cell, s),
      number: numberText(cell, n),
      date:
        serials && whole
          ? sql`CAST(${serialDate(compilation, cell)} AS VARCHAR)`
          : sql`tape_date_text_${compilation.epoch}(${n})`,
      boolean: sql`CASE WHEN ${n} = 1 THEN 'true' WHEN ${n} IS NOT NULL THEN 'false' END`,
      error: s,
    },
    NULL_TEXT,
  );
}

export function asText(compilation: Compilation, value: Value, name: string): Outcome {
  const { layers } = compilation;
  switch (value.kind) {
    case 'missing':
      return { value: single('text', NULL_TEXT), error: null };
    case 'text':
      return { value, error: null };
    case 'status':
      return { value: single('text', part(value)), error: null };
    case 'cell': {
      const t = part(value, 't');
      const shown = shownCell(compilation, value);
      const { trimmed } = factsOf(value);
      const long = tooLongCell(compilation, value, name);
      const problems = [
        ...(mayBe(value, 'error') ? [{ holds: sql`${t} = 5`, reason: REASONS.sheetError }] : []),
        ...(long ? [{ holds: long, reason: REASONS.tooLong }] : []),
      ];
      const whens = problems.map(({ holds, reason }) => sql`WHEN ${holds} THEN ${text(reason)}`);
      const without = problems.map(({ holds }) => sql`WHEN ${holds} THEN NULL`);
      const made = layers.define(name, problems.length > 0 ? sql`CASE ${join(without, ' ')} ELSE ${shown} END` : shown);
      // Numbers and dates formatted as text have no surrounding spaces either. A blank cell gives NULL.
      return {
        value: { ...single('text', made), trimmed },
        error: problems.length > 0 ? sql`CASE ${join(whens, ' ')} END` : null,
      };
    }
    case 'number':
      return { value: single('text', layers.define(name, numberText(value, part(value)))), error: null };
    default:
      return {
        value: single('text', layers.define(name, sql`CAST(${part(value)} AS VARCHAR)`)),
        error: null,
      };
  }
}

/** Whether the cell's text is too long to be read as a text. Null if this is impossible. */
function tooLongCell(compilation: Compilation, cell: Value, name: string): Fragment | null {
  if (!mayBe(cell, 'text') || factsOf(cell).short) return null;
  const s = part(cell, 's');
  // Check the bytes first: that is free, and the number of characters never exceeds it.
  const long = sql`(${part(cell, 't')} = 2 AND strlen(${s}) > ${LONGEST_TEXT} AND length(${s}) > ${LONGEST_TEXT} AND NOT tape_blank(${s}))`;
  return compilation.layers.define(`${name}_long`, long);
}

/** The error for a nonblank text that gave no `result`. */
export const unreadText = (value: Value, result: Fragment, reason: string): Fragment => {
  const s = part(value);
  const isThere = value.trimmed ? sql`${s} IS NOT NULL` : sql`${s} IS NOT NULL AND NOT tape_blank(${s})`;
  return sql`CASE WHEN ${result} IS NULL AND ${isThere} THEN ${text(reason)} END`;
};

/** The value with its text as figures are written by default, so that every conversion reads it. */
export function plainFigures(
  { layers }: Compilation,
  value: Value,
  { decimal, negative }: FigureOptions = {},
  name: string,
): Value {
  const isText = value.kind === 'text' || (value.kind === 'cell' && mayBe(value, 'text'));
  if (!isText || (decimal === undefined && negative === undefined)) return value;
  const key = value.kind === 'cell' ? 's' : 'value';
  const s = part(value, key);
  const signed =
    negative === undefined
      ? s
      : layers.define(
          `${name}_signed`,
          negative === 'brackets' ? sql`tape_unbracketed(${s})` : sql`tape_untrailed(${s})`,
        );
  const figure =
    decimal === undefined ? signed : layers.define(`${name}_figure`, sql`tape_figure_${decimal}(${signed})`);
  return { ...value, parts: { ...value.parts, [key]: figure } };
}

/**
 * Converts the value to a double: the points of a rate, or the sum of an amount (which also keeps its exact digits).
 */
export function asNumber(compilation: Compilation, value: Value, name: string): Outcome {
  const { layers } = compilation;
  switch (value.kind) {
    case 'missing':
      return { value: single('number', NO_NUMBER), error: null };
    case 'number':
      return { value, error: null };
    case 'text': {
      const n = layers.define(name, sql`tape_number(${part(value)})`);
      return { value: single('number', n), error: unreadText(value, n, REASONS.notNumber) };
    }
    case 'cell': {
      const { n, s } = value.parts as Record<'n' | 's', Fragment>;
      const finite = allFinite(value);
      const read = layers.define(
        name,
        byTag(value, { number: finite ? n : sql`tape_finite(${n})`, text: sql`tape_number(${s})` }, NO_NUMBER),
      );
      const known = holdsNumbersOnly(value) ? { facts: factsOf(value) } : {};
      return {
        value: { ...single('number', read), ...known },
        error: notANumber(value, read, REASONS.notNumber, finite),
      };
    }
    default: {
      const n = layers.define(name, sql`CAST(${part(value)} AS DOUBLE)`);
      return { value: withExact(single('number', n), exactPart(value)), error: null };
    }
  }
}

export const allFinite = (value: Value): boolean => factsOf(value).below < Number.POSITIVE_INFINITY;

/** Why a cell gave no numeric result, NULL if it did. If all its numbers fit, numbers cannot fail. */
export function notANumber(cell: Value, result: Fragment, reason: string, numbersFit: boolean): Fragment | null {
  return problemByTag(cell, result, {
    number: numbersFit ? null : text(REASONS.tooLarge),
    text: unlessBlank(cell, text(reason)),
    boolean: text(REASONS.booleanNotNumber),
    date: text(REASONS.dateNotNumber),
    error: text(REASONS.sheetError),
  });
}

/**
 * Converts the value to a boolean. 1, y, yes, true and positive are true, everything else is false. Blank stays
 * missing.
 */
export function asBoolean(compilation: Compilation, value: Value, name: string): Outcome {
  const { layers } = compilation;
  switch (value.kind) {
    case 'missing':
      return { value: single('boolean', raw('CAST(NULL AS BOOLEAN)')), error: null };
    case 'boolean':
      return { value, error: null };
    case 'number':
      return { value: single('boolean', layers.define(name, sql`${part(value)} = 1`)), error: null };
    case 'cell': {
      const { t, n, s } = value.parts as Record<'t' | 'n' | 's', Fragment>;
      const isOne = sql`${n} = 1`;
      const truth = unlessBlank(value, sql`tape_truth(${s})`);
      const made = byTag(value, { number: isOne, boolean: isOne, text: truth }, raw('CAST(NULL AS BOOLEAN)'));
      const problems = [
        mayBe(value, 'date') ? sql`WHEN ${t} = 4 THEN ${text(REASONS.notBoolean)}` : null,
        mayBe(value, 'error') ? sql`WHEN ${t} = 5 THEN ${text(REASONS.sheetError)}` : null,
      ].filter((problem) => problem !== null);
      return {
        value: single('boolean', layers.define(name, made)),
        error: problems.length > 0 ? sql`CASE ${join(problems, ' ')} END` : null,
      };
    }
    default: {
      const s = part(value);
      const truth = value.trimmed
        ? sql`tape_truth(${s})`
        : sql`CASE WHEN NOT tape_blank(${s}) THEN tape_truth(${s}) END`;
      return { value: single('boolean', layers.define(name, truth)), error: null };
    }
  }
}

/**
 * Converts the value to another kind. Only supports the conversions that the branches of a step need.
 * @param options how the value's texts write figures
 */
export function asKind(
  compilation: Compilation,
  value: Value,
  kind: ValueKind,
  options: FigureOptions | undefined,
  name: string,
): Outcome {
  if (value.kind === kind) return { value, error: null };
  if (kind === 'text') return asText(compilation, value, name);
  if (kind === 'number') return asNumber(compilation, plainFigures(compilation, value, options, name), name);
  if (kind === 'boolean') return asBoolean(compilation, value, name);
  if (value.kind === 'missing') return { value: missingOf(kind), error: null };
  throw new Error(`A branch cannot turn ${value.kind} into ${kind}`);
}
