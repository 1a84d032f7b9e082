import { fieldsOf } from '../filters/filter.ts';
import { isReservedName } from '../wire/object-names.ts';
import { countNodes, MAX_MAPPING_NODES } from './formulas/formula.ts';
import { planStep } from './plan-step.ts';
import { atRule, type PlanIssue, type PlannedRule, type PlannedStep, type RuleContext } from './planned-rule.ts';
import { leavesEmpty, type MappingRule, type ValidationKind } from './rule.schema.ts';
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
  const byRow = rulesByRow(planned);
  const hasUnstableIds = planned.some(
    ({ index, temporary, target }) => !temporary && target.path === 'assetId' && byRow.has(index),
  );
  if (hasUnstableIds) refuseConsistent(planned, issues);
  return { rules: planned, headers: [...headers], fields, issues, hasUnstableIds };
}

/** The indexes of the rules whose results depend on the row's number. */
function rulesByRow(planned: readonly PlannedRule[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const rule of planned) {
    const isByRow = rule.steps.some(({ step }) => step.type === 'rowNumber');
    if (isByRow || rulesRead(rule).some((index) => found.has(index))) found.add(rule.index);
  }
  return found;
}

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
