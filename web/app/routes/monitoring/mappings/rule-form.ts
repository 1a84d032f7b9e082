import { OPERATORS } from '@tapeline/domain/filters/filter.ts';
import { readLines, readOperand, writeLines, writeOperand } from '@tapeline/domain/tapes/operand-notation.ts';
import type { SerializationType } from '@tapeline/domain/tapes/serialization.schema.ts';
import { STEP_FORMS, type StepField } from '@tapeline/domain/tapes/step-fields.ts';
import { TARGET_FIELDS, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { bracketProblemOf, type ConditionLine, conditionLines, filterOfLines, isWritten } from './conditions.ts';
import { type RawRule, type RawStep, textOf } from './draft.ts';

/** The option of the target list for a custom field, whose name is entered next to it. */
export const CUSTOM_TARGET = '(custom)';

/** The target schema with user-facing labels. */
export const TARGET_GROUPS: readonly { label: string; fields: readonly TargetField[] }[] = (() => {
  const groups = new Map<string, TargetField[]>();
  for (const field of TARGET_FIELDS) {
    const label = groupOf(field);
    groups.set(label, [...(groups.get(label) ?? []), field]);
  }
  return [...groups].map(([label, fields]) => ({ label, fields }));
})();

function groupOf({ path, kind }: TargetField): string {
  if (path.startsWith('address.')) return 'Address';
  if (path.startsWith('creditScores.')) return 'Credit scores';
  if (kind === 'amount') return 'Sums';
  if (kind === 'date') return 'Dates';
  if (kind === 'percentage' || kind === 'interest') return 'Rates';
  if (['term', 'remainingTerm', 'monthsOnBook', 'daysPastDue', 'isDelinquent'].includes(path)) return 'Terms and delay';
  return path === 'sector' || path === 'product' ? 'Kind of business' : 'Asset';
}

export const stepFieldName = (step: number, field: string, part?: string | number): string =>
  ['step', step, field, ...(part === undefined ? [] : [part])].join('.');
export const validationFieldName = (at: number): string => `validation.${at}.value`;

const text = (form: FormData, name: string): string | null => {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : null;
};

/** Returns a number if the text is one. Otherwise returns the text as entered, for the schema to report the error. */
export function readNumber(written: string): number | string | undefined {
  const bare = written.trim();
  if (bare === '') return undefined;
  return Number.isFinite(Number(bare)) ? Number(bare) : bare;
}

/** Writes the form's fields of the open rule into the rule. Fields that are missing from the form stay unchanged. */
export function readRule(form: FormData, before: RawRule): RawRule {
  const rule: RawRule = { ...before };
  const origin = text(form, 'originCol');
  if (origin !== null) rule.originCol = origin === '' ? null : origin;
  const target = text(form, 'targetCol');
  if (target !== null) {
    const custom = (text(form, 'customCol') ?? '').trim();
    rule.targetCol = target === CUSTOM_TARGET || target === '' ? custom : target;
  }
  if (form.has('ruleShown')) {
    rule.checks = form.getAll('checks').map(String);
    rule.remainOriginCol = form.get('remainOriginCol') === 'on';
    const onUnreadable = text(form, 'onUnreadable');
    // The default is not written, so that a mapping that was not changed stays as it is.
    if (onUnreadable === 'error' && before.onUnreadable === undefined) delete rule.onUnreadable;
    else if (onUnreadable !== null) rule.onUnreadable = onUnreadable;
    const onDuplicate = text(form, 'onDuplicate');
    if (onDuplicate === 'error' && before.onDuplicate === undefined) delete rule.onDuplicate;
    else if (onDuplicate !== null) rule.onDuplicate = onDuplicate;
  }
  rule.serializations = (before.serializations ?? []).map((step, index) => readStep(form, step, index));
  rule.validations = (before.validations ?? []).map((validation, index) => {
    const written = text(form, validationFieldName(index));
    if (written === null) return validation;
    const isText = !/Number|Length/.test(String(validation.kind));
    return { ...validation, value: isText ? written : readNumber(written) };
  });
  return rule;
}

function readStep(form: FormData, before: RawStep, index: number): RawStep {
  const fields = STEP_FORMS[before.type as SerializationType]?.fields ?? [];
  const step: RawStep = { ...before };
  for (const field of fields) {
    const value = readField(form, field, index, before[field.name]);
    if (value === undefined) delete step[field.name];
    else step[field.name] = value;
  }
  return step;
}

/** A field whose text was not changed keeps its exact value, even if the text cannot represent all of it. */
function readField(form: FormData, field: StepField, step: number, before: unknown): unknown {
  const name = stepFieldName(step, field.name);
  switch (field.kind) {
    case 'pair': {
      const [find, put] = [text(form, `${name}.0`), text(form, `${name}.1`)];
      return find === null || put === null ? before : [find, put];
    }
    case 'range': {
      const [start, end] = [text(form, `${name}.0`), text(form, `${name}.1`)];
      if (start === null || end === null) return before;
      return [readNumber(start) ?? '', ...(end.trim() === '' ? [] : [readNumber(end)])];
    }
    case 'cases':
      return readCases(form, name, before);
    case 'filter':
      return readCondition(form, field, name, before);
    default: {
      const written = text(form, name);
      if (written === null || written === writeField(field, before)) return before;
      return readText(field, written);
    }
  }
}

function readText(field: StepField, written: string): unknown {
  switch (field.kind) {
    case 'number':
      return readNumber(written);
    case 'operand':
      return readOperand(written);
    case 'lines':
      return readLines(written);
    case 'parts':
      return written.split('\n').flatMap((line): object[] => {
        if (line === '') return [];
        return line.startsWith('{') && line.endsWith('}') ? [{ column: line.slice(1, -1) }] : [{ text: line }];
      });
    default:
      // A separator may consist only of spaces, so texts are not trimmed.
      return written === '' && field.optional ? undefined : written;
  }
}

/** Changed JSON takes precedence over the lines. An unchanged condition keeps its exact value. */
function readCondition(form: FormData, field: StepField, name: string, before: unknown): unknown {
  const json = text(form, name);
  if (json !== null && json !== (text(form, `${name}.drawn`) ?? writeField(field, before))) {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      return json;
    }
  }
  if (!form.has(`${name}.0.column`)) return before;
  const lines: ConditionLine[] = [];
  for (let at = 0; form.has(`${name}.${at}.column`); at++) {
    const part = (named: string): string => text(form, `${name}.${at}.${named}`) ?? '';
    lines.push({
      join: part('join') === 'or' ? 'or' : 'and',
      open: part('open'),
      close: part('close'),
      column: part('column'),
      operator: OPERATORS.find((word) => word === part('operator')) ?? 'eq',
      value: part('value'),
    });
  }
  const filled = lines.filter(isWritten);
  if (before === undefined && filled.length === 0) return before;
  const shown = conditionLines(before);
  return shown !== null && isSame(filled, shown) ? before : filterOfLines(filled);
}

/** Whether the lines are the same. What joins the first line to those before it means nothing. */
const isSame = (lines: readonly ConditionLine[], others: readonly ConditionLine[]): boolean =>
  lines.length === others.length &&
  lines.every((line, at) => {
    const other = others[at];
    return Object.entries(line).every(
      ([part, written]) => (at === 0 && part === 'join') || other?.[part as keyof ConditionLine] === written,
    );
  });

/** A value as its field shows it. */
export function writeField(field: StepField, value: unknown): string {
  switch (field.kind) {
    case 'operand':
      return writeOperand(value);
    case 'lines':
      return writeLines(value);
    case 'parts':
      return (Array.isArray(value) ? value : [])
        .map((part: { text?: string; column?: string }) =>
          part.column === undefined ? (part.text ?? '') : `{${part.column}}`,
        )
        .join('\n');
    case 'filter':
      // Lines whose brackets do not match have no JSON.
      if (bracketProblemOf(value) !== null) return '';
      return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
    default:
      return value === undefined || value === null ? '' : String(value);
  }
}

export interface RawCase {
  readonly equals: unknown;
  readonly then: unknown;
}

/** The empty line below the existing cases. */
// biome-ignore lint/suspicious/noThenProperty: `then` is a key of the contract; a case is never awaited
export const NEW_CASE: RawCase = { equals: undefined, then: undefined };

export const casesOf = (value: unknown): RawCase[] => (Array.isArray(value) ? (value as RawCase[]) : []);

function readCases(form: FormData, name: string, before: unknown): unknown {
  const known = casesOf(before);
  const cases: unknown[] = [];
  for (let at = 0; at <= known.length; at++) {
    const equals = text(form, `${name}.${at}.equals`);
    const then = text(form, `${name}.${at}.then`);
    if (equals === null || then === null) {
      if (known[at] !== undefined) cases.push(known[at]);
      continue;
    }
    if (equals.trim() === '' && then.trim() === '') continue;
    const old = known[at];
    const lines = readLines(equals);
    cases.push({
      equals: old && equals === writeLines(old.equals) ? old.equals : lines.length === 1 ? lines[0] : lines,
      // biome-ignore lint/suspicious/noThenProperty: `then` is a key of the contract; a case is never awaited
      then: old && then === writeOperand(old.then) ? old.then : readOperand(then),
    });
  }
  return cases;
}

/** `(custom)` if the target is not a schema field. Empty if no target is chosen. */
export function targetChoice(rule: RawRule): string {
  const name = textOf(rule.targetCol);
  if (name === '') return '';
  const field = TARGET_FIELDS.find(({ path }) => path === name || path.endsWith(`.${name}`));
  const unique = field && TARGET_FIELDS.filter(({ path }) => path === name || path.endsWith(`.${name}`)).length === 1;
  return field && unique ? field.path : CUSTOM_TARGET;
}
