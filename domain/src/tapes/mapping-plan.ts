import { because, type Reason, reason } from '../errors/reason.ts';
import { isRefusal } from '../errors/refusal.ts';
import type { FieldCatalog } from '../filters/catalog.ts';
import { type Filter, fieldsOf } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse.ts';
import { PatternError, parsePattern } from '../filters/pattern.ts';
import { isReservedName } from '../wire/object-names.ts';
import { columnCatalog } from './column-catalog.ts';
import { columnsOfFormula, countNodes, type Formula, MAX_MAPPING_NODES } from './formulas/formula.ts';
import type { FormulaType } from './formulas/formula-type.ts';
import { parseFormula, readFormula } from './formulas/parse-formula.ts';
import { leavesEmpty, type MappingRule, type ValidationKind } from './rule.schema.ts';
import type { Serialization, SerializationOf, StepOperand } from './serialization.schema.ts';
import { isOperandColumn, stepOutput } from './step-kinds.ts';
import {
  CONSISTENT_PATHS,
  CUSTOM_PREFIX,
  customTargetField,
  reservedNameProblem,
  resolveTarget,
  type TargetField,
  type TargetKind,
  withUnread,
} from './target-schema.ts';
import { VALUE_KIND_WORDS, type ValueKind } from './value-kinds.ts';

/** Where the value of a named column comes from. */
export type ColumnSource =
  | { readonly from: 'origin'; readonly header: string }
  | { readonly from: 'rule'; readonly rule: number; readonly kind: ValueKind };

export interface PlannedStep {
  readonly step: Serialization;
  readonly input: ValueKind;
  readonly output: ValueKind;
  /** The source of each column that the step names, by the name as written. */
  readonly columns: ReadonlyMap<string, ColumnSource>;
  /**
   * For an ifStatement: the parsed filter. The paths of its fields are `origin.<header>`, or `rule.<index>` and a part.
   */
  readonly filter?: Filter;
  /** For a datesDiff with a column of the tape: how that column's cells write dates. */
  readonly otherDate?: DateForm;
  /** For a calculate step: its formula. */
  readonly formula?: PlannedFormula;
}

export interface PlannedFormula {
  readonly formula: Formula;
  readonly type: FormulaType;
  /** How the cells of each column write dates, if they are read as dates; the result of the step before by `null`. */
  readonly forms: ReadonlyMap<string | null, DateForm>;
}

/** How cells write dates. */
export type DateForm = Pick<SerializationOf<'date'>, 'format' | 'order' | 'firstYear'>;

export interface PlannedRule {
  /** 0-based position in `mapping.rules`; messages count from 1. */
  readonly index: number;
  readonly rule: MappingRule;
  readonly header: string | null;
  /** Where the result is stored; a Temporary rule's result is only named, not stored. */
  readonly target: TargetField;
  readonly temporary: boolean;
  readonly steps: readonly PlannedStep[];
  readonly result: ValueKind;
}

export interface PlanIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** As an issue of a schema has it: see `reasonOfIssue`. */
  readonly params?: { readonly reason: Reason };
}

export interface MappingPlan {
  /** In execution order. */
  readonly rules: readonly PlannedRule[];
  /** Headers that the mapping reads, each once, as written. */
  readonly headers: readonly string[];
  /** Fields that the mapping makes and stores, in execution order, including `remainOriginCol` fields. */
  readonly fields: readonly TargetField[];
  readonly issues: readonly PlanIssue[];
  /** Ids are made from row numbers: they do not say which assets of another tape they are. */
  readonly hasUnstableIds: boolean;
}

const ACCEPTED: Readonly<Record<TargetKind, readonly ValueKind[]>> = {
  text: ['text'],
  number: ['number'],
  boolean: ['boolean'],
  date: ['date'],
  amount: ['amount'],
  percentage: ['percentage'],
  interest: ['interest'],
  term: ['term'],
  assetStatus: ['status', 'text'],
  assetType: ['text'],
  currency: ['text'],
};

const LAST_STEP: Readonly<Record<TargetKind, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  amount: 'SerializedSum',
  percentage: 'percentage',
  interest: 'SerializedInterest',
  term: 'SerializedTerm',
  assetStatus: 'assetStatus',
  assetType: 'text',
  currency: 'text',
};

/** The kind of a custom field, by the kind of value that the last step of its rule makes. */
const CUSTOM_KIND: Readonly<Record<ValueKind, TargetKind>> = {
  cell: 'text',
  text: 'text',
  status: 'text',
  missing: 'text',
  number: 'number',
  percentage: 'percentage',
  interest: 'interest',
  term: 'term',
  boolean: 'boolean',
  date: 'date',
  amount: 'amount',
};

const VALIDATED: Readonly<Record<ValidationKind, readonly ValueKind[]>> = {
  minNumber: ['number', 'percentage', 'interest', 'amount', 'term'],
  maxNumber: ['number', 'percentage', 'interest', 'amount', 'term'],
  minDate: ['date'],
  maxDate: ['date'],
  notContains: ['text', 'status'],
  mustContains: ['text', 'status'],
  minLength: ['text'],
  maxLength: ['text'],
  mustBeTrue: ['boolean'],
  mustBeFalse: ['boolean'],
};

/** The custom field that stores the original cell of a header next to its rule's result. */
export const remainingField = (header: string): TargetField =>
  customTargetField({ path: `${CUSTOM_PREFIX}${header}`, kind: 'text', label: header });

/**
 * Plans a mapping: the execution order, what every name refers to, and the input and output kind of each step. Every
 * error is reported as an issue with the path of its rule and step.
 */
export function planMapping(mapping: {
  readonly rules: readonly MappingRule[];
  readonly extractedOriginColsFromLoanTape?: readonly string[];
}): MappingPlan {
  const issues: PlanIssue[] = [];
  const order = runningOrder(mapping.rules);
  const knownHeaders = new Set([
    ...(mapping.extractedOriginColsFromLoanTape ?? []),
    ...mapping.rules.flatMap((rule) => (rule.originCol === null ? [] : [rule.originCol])),
  ]);
  const headers = new Set<string>();
  const planned: PlannedRule[] = [];
  for (const [position, index] of order.entries()) {
    const rule = mapping.rules[index]!;
    const later = order.slice(position).map((each) => mapping.rules[each]!);
    planned.push(
      planRule({ rule, index, earlier: planned, later, rules: mapping.rules, knownHeaders, headers, issues }),
    );
  }
  const fields = keptFields(planned, issues);
  checkFormulas(planned, issues);
  checkAssetId(planned, issues);
  const hasUnstableIds = planned.some(
    (each) => !each.temporary && each.target.path === 'assetId' && isByRow(each, planned),
  );
  if (hasUnstableIds) refuseConsistent(planned, issues);
  return { rules: planned, headers: [...headers], fields, issues, hasUnstableIds };
}

/** Whether a rule's result depends on the row's number. */
const isByRow = (rule: PlannedRule, planned: readonly PlannedRule[]): boolean =>
  rule.steps.some(({ step }) => step.type === 'rowNumber') ||
  rulesRead(rule).some((index) => planned.some((each) => each.index === index && isByRow(each, planned)));

/** An id that is a row number belongs to another asset on the earlier tape. */
function refuseConsistent(planned: readonly PlannedRule[], issues: PlanIssue[]): void {
  for (const { rule, index } of planned) {
    const at = rule.checks.indexOf('Consistent');
    if (at < 0) continue;
    issues.push({
      path: ['rules', index, 'checks', at],
      ...atRule(rule, index, 'Consistent compares assets by their ids, and row numbers differ from tape to tape'),
    });
  }
}

/** The earlier rules whose results a rule's steps name, by their index, in the order of the steps. */
export function rulesRead({ steps }: PlannedRule): number[] {
  const read = new Set<number>();
  for (const { columns, filter } of steps) {
    for (const source of columns.values()) if (source.from === 'rule') read.add(source.rule);
    for (const { path } of filter ? fieldsOf(filter) : []) {
      const index = /^rule\.(\d+)/.exec(path)?.[1];
      if (index !== undefined) read.add(Number(index));
    }
  }
  return [...read];
}

function runningOrder(rules: readonly MappingRule[]): number[] {
  return rules
    .map((rule, index) => ({ index, at: rule.sequence ?? index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ index }) => index);
}

interface RuleContext {
  readonly rule: MappingRule;
  readonly index: number;
  readonly earlier: readonly PlannedRule[];
  /** This rule and those that run after it. */
  readonly later: readonly MappingRule[];
  readonly rules: readonly MappingRule[];
  readonly knownHeaders: ReadonlySet<string>;
  readonly headers: Set<string>;
  readonly issues: PlanIssue[];
}

function planRule(context: RuleContext): PlannedRule {
  const { rule, index, headers, issues } = context;
  if (rule.originCol !== null) headers.add(rule.originCol);
  let kind: ValueKind = rule.originCol === null ? 'missing' : 'cell';
  const steps: PlannedStep[] = [];
  for (const [at, step] of rule.serializations.entries()) {
    const path = ['rules', index, 'serializations', at];
    const outcome = planStep(step, kind, context, path);
    if (typeof outcome === 'string') {
      issues.push({ path, ...atRule(rule, index, outcome, `, step ${at + 1} (${step.type})`) });
      kind = 'missing';
      continue;
    }
    steps.push(outcome);
    kind = outcome.output;
  }
  const broken = steps.length < rule.serializations.length;
  const temporary = rule.checks.includes('Temporary');
  const target = targetOf(rule, index, broken ? null : kind, temporary, issues);
  if (!broken) checkValidations(rule, index, kind, issues);
  const consistent = rule.checks.indexOf('Consistent');
  if (consistent >= 0 && (temporary || !CONSISTENT_PATHS.includes(target.path))) {
    const allowed = 'dateFinanced, term, currency, sum and maturityDate';
    issues.push({
      path: ['rules', index, 'checks', consistent],
      ...atRule(rule, index, `Consistent is allowed on ${allowed} only`),
    });
  }
  if (temporary && rule.checks.includes('Unique')) {
    issues.push({
      path: ['rules', index, 'checks', rule.checks.indexOf('Unique')],
      ...atRule(rule, index, 'a Temporary column is not kept, so it cannot be checked as Unique'),
    });
  }
  if (rule.onDuplicate === 'numbered' && (!rule.checks.includes('Unique') || (!broken && kind !== 'text'))) {
    issues.push({
      path: ['rules', index, 'onDuplicate'],
      ...atRule(rule, index, 'occurrences are numbered only of texts that are checked as Unique'),
    });
  }
  return { index, rule, header: rule.originCol, target, temporary, steps, result: kind };
}

/** What is wrong with a rule, after its name: `Rule 3 ("Balance" to sums.outstandingSum), step 1 (trim): …` */
function atRule(rule: MappingRule, index: number, text: string, step = '') {
  const name = `Rule ${index + 1} (${rule.originCol === null ? 'computed' : `"${rule.originCol}"`} to ${rule.targetCol})`;
  return because(reason('mappingRule', { rule: `${name}${step}`, text }));
}

function targetOf(rule: MappingRule, index: number, kind: ValueKind | null, temporary: boolean, issues: PlanIssue[]) {
  const resolved = resolveTarget(rule.targetCol);
  const asCustom = (path: string) => customTargetField({ path, kind: kind === null ? 'text' : CUSTOM_KIND[kind] });
  if (temporary) {
    // Other rules refer to the result by this name.
    if (isReservedName(rule.targetCol)) {
      issues.push({ path: ['rules', index, 'targetCol'], ...atRule(rule, index, reservedNameProblem(rule.targetCol)) });
    }
    return resolved.kind === 'field' ? resolved.field : asCustom(rule.targetCol);
  }
  if (resolved.kind === 'problem') {
    issues.push({ path: ['rules', index, 'targetCol'], ...atRule(rule, index, resolved.message) });
    return asCustom(rule.targetCol);
  }
  const lastStep = ['rules', index, 'serializations', rule.serializations.length - 1];
  const last = rule.serializations.at(-1)?.type ?? '';
  if (resolved.kind === 'custom') return asCustom(resolved.path);
  const { field } = resolved;
  if (kind !== null && kind !== 'missing' && !ACCEPTED[field.kind].includes(kind)) {
    issues.push({
      path: lastStep,
      ...atRule(
        rule,
        index,
        `its last step (${last}) produces ${VALUE_KIND_WORDS[kind]}, which ${field.path} cannot hold; end with a ${LAST_STEP[field.kind]} step`,
      ),
    });
  }
  return field;
}

function checkValidations(rule: MappingRule, index: number, kind: ValueKind, issues: PlanIssue[]): void {
  for (const [at, validation] of rule.validations.entries()) {
    if (kind === 'missing' || VALIDATED[validation.kind].includes(kind)) continue;
    issues.push({
      path: ['rules', index, 'validations', at],
      ...atRule(rule, index, `${validation.kind} cannot be applied to ${VALUE_KIND_WORDS[kind]}`),
    });
  }
}

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

function planStep(
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
  };
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

/**
 * The fields that the mapping stores. Two rules for one field, or a kept header that collides with a field, are issues.
 */
function keptFields(planned: readonly PlannedRule[], issues: PlanIssue[]): TargetField[] {
  const kept = new Map<string, TargetField>();
  for (const { rule, index, target, temporary } of planned) {
    if (temporary) continue;
    if (kept.has(target.path)) {
      issues.push({
        path: ['rules', index, 'targetCol'],
        ...atRule(rule, index, `another rule already sets ${target.path}`),
      });
    }
    kept.set(target.path, leavesEmpty(rule) ? withUnread(target) : target);
  }
  const remaining = new Map<string, TargetField>();
  for (const { rule, index, header } of planned) {
    if (!rule.remainOriginCol) continue;
    if (header === null) {
      issues.push({
        path: ['rules', index, 'remainOriginCol'],
        ...atRule(rule, index, 'a computed column has no cell to keep'),
      });
      continue;
    }
    if (isReservedName(header)) {
      issues.push({ path: ['rules', index, 'remainOriginCol'], ...atRule(rule, index, reservedNameProblem(header)) });
    }
    const field = remainingField(header);
    if (kept.has(field.path)) {
      issues.push({
        path: ['rules', index, 'remainOriginCol'],
        ...atRule(rule, index, `the kept column would be ${field.path}, which another rule sets`),
      });
    }
    remaining.set(field.path, field);
  }
  const columns = new Set<string>();
  const fields = [...kept.values(), ...[...remaining.values()].filter((field) => !kept.has(field.path))];
  for (const field of fields) {
    for (const column of field.columns) {
      if (columns.has(column.name.toLowerCase())) {
        issues.push({ path: ['rules'], message: `Two fields would be named ${column.name}; rename one of them` });
      }
      columns.add(column.name.toLowerCase());
    }
  }
  return fields;
}

function checkFormulas(planned: readonly PlannedRule[], issues: PlanIssue[]): void {
  const formulas = planned.flatMap(({ steps }) => steps.flatMap(({ formula }) => formula?.formula ?? []));
  const nodes = formulas.reduce((count, formula) => count + countNodes(formula), 0);
  if (nodes <= MAX_MAPPING_NODES) return;
  const limit = MAX_MAPPING_NODES.toLocaleString('en-US');
  issues.push({
    path: ['rules'],
    message: `The formulas of a mapping have at most ${limit} numbers, columns and operations together`,
  });
}

function checkAssetId(planned: readonly PlannedRule[], issues: PlanIssue[]): void {
  const assetId = planned.find((each) => !each.temporary && each.target.path === 'assetId');
  if (!assetId) {
    issues.push({ path: ['rules'], message: 'Map assetId: every mapping needs a rule for it' });
  } else if (!assetId.rule.checks.includes('Mandatory')) {
    issues.push({
      path: ['rules', assetId.index, 'checks'],
      ...atRule(assetId.rule, assetId.index, 'assetId must be checked as Mandatory'),
    });
  }
}
