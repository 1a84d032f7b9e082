import { LONGEST_TEXT, longestSearched } from '@tapeline/domain/tapes/longest-text.ts';
import type { PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import type { Serialization, SerializationOf } from '@tapeline/domain/tapes/serialization.schema.ts';
import { firstOf } from './conversions.ts';
import type { Layers } from './layers.ts';
import { asText } from './readings.ts';
import { type Fragment, join, raw, sql, text } from './sql.ts';
import { inColumn, type StepContext } from './step-context.ts';
import { MISSING, type Outcome, part, REASONS, single, type Value } from './values.ts';

/** Steps that can turn a text into an empty or blank one. */
const BLANKING: ReadonlySet<Serialization['type']> = new Set(['replaceStrings', 'slice', 'split', 'regexExtract']);

/** Steps that keep a text nonblank and free of surrounding spaces if it was so before. */
const TRIMMED_STAYS: ReadonlySet<Serialization['type']> = new Set(['trim', 'upper', 'lower']);

/** A blank text counts as missing, whether it was read or produced. */
export function perText(context: StepContext, step: Serialization, input: Value): Outcome {
  const { layers } = context.compilation;
  const read = asText(context.compilation, input, context.name);
  const trimmed = read.value.trimmed === true;
  if (step.type === 'trim' && trimmed) return read;
  const fits =
    step.type === 'replaceStrings'
      ? replacedFits(context, step, part(read.value))
      : step.type === 'regexExtract'
        ? searchedFits(context, step, part(read.value))
        : null;
  const changed = layers.define(
    `${context.name}_result`,
    unlessTooLong(fits, stringSql(layers, step, part(read.value))),
  );
  const kept = BLANKING.has(step.type)
    ? layers.define(`${context.name}_kept`, sql`CASE WHEN NOT tape_blank(${changed}) THEN ${changed} END`)
    : changed;
  return {
    value: { ...single('text', kept), trimmed: trimmed && TRIMMED_STAYS.has(step.type) },
    error: firstOf([
      read.error,
      tooLong(fits, step.type === 'regexExtract' ? REASONS.longForPattern : REASONS.tooLong),
    ]),
  };
}

/**
 * The result if it fits. DuckDB evaluates a CASE branch only for the rows that take it, so an oversized text is never
 * built.
 */
const unlessTooLong = (fits: Fragment | null, made: Fragment): Fragment =>
  fits === null ? made : sql`CASE WHEN ${fits} THEN ${made} END`;

const tooLong = (fits: Fragment | null, reason: string): Fragment | null =>
  fits && sql`CASE WHEN NOT ${fits} THEN ${text(reason)} END`;

const charactersIn = (written: string): number => [...written].length;
const bytesIn = (written: string): number => Buffer.byteLength(written);

/** Whether the text is short enough after the replacements, by counting them. Null if it cannot get longer. */
function replacedFits(context: StepContext, step: SerializationOf<'replaceStrings'>, s: Fragment): Fragment | null {
  const [find = '', put = ''] = step.value;
  const found = charactersIn(find);
  const grows = charactersIn(put) - found;
  if (grows <= 0) return null;
  const surelyFits = Math.floor((LONGEST_TEXT * found) / (found + grows));
  const removed = sql`length(${s}) - length(replace(${s}, ${context.compilation.layers.literal(find)}, ''))`;
  return context.compilation.layers.define(
    `${context.name}_fits`,
    sql`CASE WHEN strlen(${s}) <= ${surelyFits} THEN true ELSE length(${s}) + (${removed}) // ${found} * ${grows} <= ${LONGEST_TEXT} END`,
  );
}

/** Whether the text is short enough to be searched for the pattern. Null if every text is. */
function searchedFits(context: StepContext, step: SerializationOf<'regexExtract'>, s: Fragment): Fragment | null {
  const longest = longestSearched(step.pattern);
  if (longest >= LONGEST_TEXT) return null;
  return context.compilation.layers.define(
    `${context.name}_fits`,
    sql`(${s} IS NULL OR strlen(${s}) <= ${longest} OR length(${s}) <= ${longest})`,
  );
}

/** Whether all parts together are short enough, by their lengths. */
function joinedFits(context: StepContext, step: SerializationOf<'concat'>, columns: readonly Fragment[]): Fragment {
  const written = step.parts.flatMap((piece) => ('text' in piece ? [piece.text] : []));
  const length = (measure: string, sizeOf: (text: string) => number): Fragment => {
    const gap = sizeOf(step.separator);
    const ofColumns = columns.map((each) => sql`coalesce(${raw(measure)}(${each}) + ${gap}, 0)`);
    const fixed = written.reduce((sum, each) => sum + sizeOf(each) + gap, -gap);
    return sql`${join(ofColumns, ' + ')} + (${fixed})`;
  };
  return context.compilation.layers.define(
    `${context.name}_fits`,
    sql`(${length('strlen', bytesIn)} <= ${LONGEST_TEXT} OR ${length('length', charactersIn)} <= ${LONGEST_TEXT})`,
  );
}

function stringSql(layers: Layers, step: Serialization, s: Fragment): Fragment {
  switch (step.type) {
    case 'trim':
      return sql`tape_trim(${s})`;
    case 'upper':
      return sql`upper(${s})`;
    case 'lower':
      return sql`lower(${s})`;
    case 'replaceStrings':
      return sql`replace(${s}, ${layers.literal(step.value[0] ?? '')}, ${layers.literal(step.value[1] ?? '')})`;
    case 'slice':
      return sliceSql(s, step.value[0] ?? 0, step.value[1]);
    case 'split': {
      const index = step.index < 0 ? step.index : step.index + 1;
      // Cast, because DuckDB gives an element of no list no type, and stores it as an integer.
      return sql`CAST(string_split(${s}, ${layers.literal(step.by)})[${index}] AS VARCHAR)`;
    }
    case 'padStart':
      return sql`CASE WHEN length(${s}) >= ${step.length} THEN ${s} ELSE lpad(${s}, ${step.length}, ${layers.literal(step.fill)}) END`;
    case 'regexExtract':
      return sql`regexp_extract(${s}, ${layers.literal(enginePattern(step.pattern))}, ${step.group})`;
    case 'hash':
      return sql`left(sha256(${s}), 32)`;
    default:
      throw new Error(`${step.type} is no string step`);
  }
}

/** Rewrites the pattern to use the filter language's spaces, because DuckDB's own `\s` omits the vertical tab. */
function enginePattern(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\(.)|[[\]]/gsu, (written, escaped: string | undefined) => {
    if (escaped === undefined) {
      inClass = written === '[';
      return written;
    }
    if (escaped === 's') return inClass ? '\\t-\\r ' : '[\\t-\\r ]';
    if (escaped === 'S') return inClass ? '\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}' : '[^\\t-\\r ]';
    return written;
  });
}

/** JavaScript's slice over characters. Negative positions count from the end. */
function sliceSql(s: Fragment, start: number, end: number | undefined): Fragment {
  const place = (at: number): Fragment => (at >= 0 ? raw(`${at}`) : sql`greatest(length(${s}) - ${-at}, 0)`);
  const from = place(start);
  const count = end === undefined ? sql`length(${s})` : sql`greatest(${place(end)} - ${from}, 0)`;
  return sql`substring(${s}, CAST(${from} + 1 AS BIGINT), CAST(${count} AS BIGINT))`;
}

export function concatenate(
  context: StepContext,
  planned: PlannedStep,
  step: SerializationOf<'concat'>,
  input: Value,
): Outcome {
  const { compilation, name } = context;
  const first = asText(compilation, input, name);
  const errors = [first.error];
  const pieces: Fragment[] = [part(first.value)];
  const columns: Fragment[] = [part(first.value)];
  for (const [index, piece] of step.parts.entries()) {
    if ('text' in piece) {
      pieces.push(compilation.layers.literal(piece.text));
      continue;
    }
    const source = planned.columns.get(piece.column);
    const read = asText(compilation, source ? context.read(source) : MISSING, `${name}_part${index + 1}`);
    errors.push(inColumn(context, piece.column, read.error));
    pieces.push(part(read.value));
    columns.push(part(read.value));
  }
  // Missing parts are skipped, unless all count. If only fixed text is left, the result is missing.
  const read = input.kind === 'missing' ? columns.slice(1) : columns;
  const some =
    step.onMissing === 'whole' && read.length > 0
      ? sql`(${join(
          read.map((each) => sql`${each} IS NOT NULL`),
          ' AND ',
        )})`
      : sql`coalesce(${join(columns, ', ')}) IS NOT NULL`;
  const fits = joinedFits(context, step, columns);
  const joined = sql`CASE WHEN ${some} AND ${fits} THEN concat_ws(${compilation.layers.literal(step.separator)}, ${join(pieces, ', ')}) END`;
  errors.push(sql`CASE WHEN ${some} AND NOT ${fits} THEN ${text(REASONS.tooLong)} END`);
  return { value: single('text', compilation.layers.define(`${name}_result`, joined)), error: firstOf(errors) };
}
