import { isRefusal } from '../errors/refusal.ts';
import type { FieldCatalog } from '../filters/catalog.ts';
import { type Filter, fieldsOf } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse.ts';
import { PatternError, parsePattern } from '../filters/pattern.ts';
import { columnCatalog } from './column-catalog.ts';
import { columnsOfFormula } from './formulas/formula.ts';
import { parseFormula, readFormula } from './formulas/parse-formula.ts';
import type { ColumnSource, DateForm, PlannedFormula, PlannedRule, PlannedStep, RuleContext } from './planned-rule.ts';
import type { FigureOptions, Serialization, SerializationOf, StepOperand } from './serialization.schema.ts';
import { isOperandColumn, stepOutput } from './step-kinds.ts';
import { resolveTarget } from './target-schema.ts';
import type { ValueKind } from './value-kinds.ts';

/** Names that a step uses: operand columns, parts, the other date, the currency column. */
function namedColumns(step: Serialization): string[] {
  const ofOperand = (operand: StepOperand | undefined) => (isOperandColumn(operand) ? [operand.column] : []);
  switch (step.type) {
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'power':
    case 'min':
    case 'max':
    case 'datesDiff':
      return step.column === undefined ? [] : [step.column];
    case 'calculate':
      return columnsOfFormula(parseFormula(step.formula));
    case 'SerializedSum':
      return step.currencyColumn === undefined ? [] : [step.currencyColumn];
    case 'concat':
      return step.parts.flatMap((part) => ('column' in part ? [part.column] : []));
    case 'ifStatement':
      return [...ofOperand(step.then), ...ofOperand(step.else)];
    case 'switchCase':
      return [...step.cases.flatMap((each) => ofOperand(each.then)), ...ofOperand(step.default)];
    default:
      return [];
  }
}
export function planStep(
  step: Serialization,
  input: ValueKind,
  context: RuleContext,
  path: readonly (string | number)[],
): PlannedStep | string {
  const columns = new Map<string, ColumnSource>();
  // Rules are planned, too, whose formulas have issues.
  const written = step.type === 'calculate' ? readFormula(step.formula) : null;
  if (written && 'problem' in written) return written.problem;
  for (const name of namedColumns(step)) {
    const source = resolveColumn(name, context);
    if (typeof source === 'string') return source;
    columns.set(name, source);
    if (source.from === 'origin') context.headers.add(source.header);
  }
  if (step.type === 'regexExtract') {
    const problem = patternProblem(step.pattern, step.group);
    if (problem !== null) return problem;
  }
  let filter: Filter | undefined;
  if (step.type === 'ifStatement') {
    const parsed = planFilter(step.filter, context, path);
    if (parsed === null) return 'its filter cannot be read';
    filter = parsed;
  }
  const kindOf = (name: string): ValueKind => {
    const source = columns.get(name);
    return source === undefined ? 'missing' : source.from === 'origin' ? 'cell' : source.kind;
  };
  const output = stepOutput(step, input, kindOf);
  if ('problem' in output) return output.problem;
  return {
    step,
    input,
    output: output.kind,
    columns,
    ...(filter ? { filter } : {}),
    ...(step.type === 'datesDiff' ? { otherDate: otherDate(step, columns, context) } : {}),
    ...(step.type === 'calculate' ? { formula: planFormula(step, output.kind, columns, context) } : {}),
    figures: planFigures(step, { columns, filter }, context),
  };
}

/** Steps after which a text still is as its cell writes it. */
const KEEPS_WRITING: ReadonlySet<Serialization['type']> = new Set(['text', 'trim']);
const isAsWritten = (steps: readonly Serialization[]): boolean => steps.every(({ type }) => KEEPS_WRITING.has(type));

/**
 * How a step without options of its own reads figures: as the rules of the same column do. A text that steps have changed
 * no longer is as its column writes it, so it is read by default.
 */
function planFigures(
  step: Serialization,
  { columns, filter }: { columns: ReadonlyMap<string, ColumnSource>; filter: Filter | undefined },
  { rule, rules, earlier }: RuleContext,
): ReadonlyMap<string | null, FigureOptions> {
  const figures = new Map<string | null, FigureOptions>();
  const note = (name: string | null, header: string | null): void => {
    if (header === null) return;
    // The options of the own rule come first.
    const readers = [rule, ...rules].filter(({ originCol }) => originCol === header);
    const options = readers.flatMap(({ serializations }) => serializations.flatMap(figureOptionsOf))[0];
    if (options) figures.set(name, options);
  };
  if (isAsWritten(rule.serializations.slice(0, rule.serializations.indexOf(step)))) note(null, rule.originCol);
  for (const [name, source] of columns) {
    if (source.from === 'origin') note(name, source.header);
    else {
      const made = earlier.find(({ index }) => index === source.rule)?.rule;
      if (made && isAsWritten(made.serializations)) note(name, made.originCol);
    }
  }
  for (const { path } of filter ? fieldsOf(filter) : []) {
    if (path.startsWith('origin.')) note(path, path.slice('origin.'.length));
  }
  return figures;
}

function figureOptionsOf(step: Serialization): FigureOptions[] {
  const { decimal, negative }: FigureOptions = step as FigureOptions;
  return decimal === undefined && negative === undefined ? [] : [{ decimal, negative }];
}

function planFormula(
  { formula }: SerializationOf<'calculate'>,
  output: ValueKind,
  columns: ReadonlyMap<string, ColumnSource>,
  context: RuleContext,
): PlannedFormula {
  const names = [null, ...columns.keys()];
  return {
    formula: parseFormula(formula),
    type: output === 'date' ? 'date' : 'number',
    forms: new Map(names.map((name) => [name, dateForm(name ?? undefined, columns, context)])),
  };
}
const otherDate = (
  { column, format }: SerializationOf<'datesDiff'>,
  columns: ReadonlyMap<string, ColumnSource>,
  context: RuleContext,
): DateForm => (format === undefined ? dateForm(column, columns, context) : { format });
/** How a column's cells write dates: as another rule reads that column, or as this rule reads its own. */
function dateForm(
  column: string | undefined,
  columns: ReadonlyMap<string, ColumnSource>,
  { rule, rules }: RuleContext,
): DateForm {
  const source = column === undefined ? undefined : columns.get(column);
  const header = source?.from === 'origin' ? source.header : null;
  const reading = rules.find(
    ({ originCol, serializations }) => originCol === header && serializations[0]?.type === 'date',
  );
  const forms = [...(reading ? [reading] : []), rule].flatMap(({ serializations }) =>
    serializations.flatMap((step): DateForm[] => (step.type === 'date' ? [step] : [])),
  );
  return forms[0] ?? { format: 'ISO' };
}
/**
 * Patterns must be in the filter language's subset, which every engine reads the same way and which makes no engine
 * hang.
 */
function patternProblem(pattern: string, group: number): string | null {
  try {
    parsePattern(pattern, false);
  } catch (error) {
    if (error instanceof PatternError) return `its pattern ${error.message}`;
    throw error;
  }
  const groups = (new RegExp(`${pattern}|`).exec('')?.length ?? 1) - 1;
  return group > groups
    ? `its pattern has ${groups} ${groups === 1 ? 'group' : 'groups'}, and no group ${group}`
    : null;
}
/** Finds an earlier rule by any of its names: targetCol as written, full path, or unique last part. */
function findEarlier(name: string, earlier: readonly PlannedRule[]): PlannedRule | undefined {
  const written = earlier.findLast((each) => each.rule.targetCol === name);
  if (written) return written;
  const resolved = resolveTarget(name);
  if (resolved.kind === 'problem') return undefined;
  return earlier.findLast((each) => !each.temporary && each.target.path === resolved.path);
}
function resolveColumn(name: string, context: RuleContext): ColumnSource | string {
  const forced = name.startsWith('origin.');
  if (forced && !context.knownHeaders.has(name)) return { from: 'origin', header: name.slice('origin.'.length) };
  const made = findEarlier(name, context.earlier);
  if (made) return { from: 'rule', rule: made.index, kind: made.result };
  if (!context.knownHeaders.has(name)) {
    const late = context.later.findIndex((rule) => rule.targetCol === name);
    if (late === 0) return `"${name}" is this rule's own target`;
    if (late > 0) return `"${name}" is set by a later rule; move that rule before this one`;
  }
  return { from: 'origin', header: name };
}
function planFilter(input: unknown, context: RuleContext, path: readonly (string | number)[]): Filter | null {
  const problems: string[] = [];
  const catalog: FieldCatalog = columnCatalog(input, (name) => {
    const part = /\.(currency|kind|unit|days)$/.exec(name)?.[1];
    const direct = resolveColumn(name, context);
    if (typeof direct === 'string') {
      problems.push(direct);
      return null;
    }
    if (direct.from === 'origin' && part && !context.knownHeaders.has(name)) {
      const whole = findEarlier(name.slice(0, -part.length - 1), context.earlier);
      if (whole) return { source: { from: 'rule', rule: whole.index, kind: whole.result }, part };
    }
    return { source: direct };
  });
  try {
    const filter = parseFilter(input, catalog);
    for (const field of fieldsOf(filter)) {
      if (field.path.startsWith('origin.')) context.headers.add(field.path.slice('origin.'.length));
    }
    return filter;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reasons = problems.length > 0 ? [...new Set(problems)] : Object.values(error.flags ?? {});
    for (const message of reasons.length > 0 ? reasons : [error.message]) {
      context.issues.push({ path: [...path, 'filter'], message });
    }
    return null;
  }
}
