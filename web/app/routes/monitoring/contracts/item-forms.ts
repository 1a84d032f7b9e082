import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { FREQUENCIES } from '@tapeline/domain/dates/reporting-periods.ts';
import { valuesOf } from '@tapeline/domain/documents/labels.ts';
import { isRefusal, Refusal, reasonOfRefusal } from '@tapeline/domain/errors/refusal.ts';
import {
  contractCertificationSchema,
  limitOverlapSchema,
  OFFSET_AMOUNTS,
  OFFSET_KINDS,
  OPERANDS,
  RESERVE_KINDS,
  type RuleException,
  ratePercentSchema,
  THRESHOLD_UNITS,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { VALUE_POOLS } from '@tapeline/domain/facilities/pools.ts';
import { BracketError, groupsOfLines } from '@tapeline/domain/filters/brackets.ts';
import {
  type FilterRow,
  filterToRows,
  rowsToFilter,
  valueFromText,
  valueToText,
} from '@tapeline/domain/filters/build.ts';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { isEverything, OPERATORS } from '@tapeline/domain/filters/filter.ts';
import type { FilterInput } from '@tapeline/domain/filters/filter-input.schema.ts';
import { ACCUMULATORS } from '@tapeline/domain/filters/list-query.schema.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToJson } from '@tapeline/domain/filters/print.ts';
import { z } from 'zod';
import { describeForms } from '../../../components/forms/describe-form.ts';
import { CERTIFYING_LABELS } from './certifying-labels.ts';
import type { ContractSection } from './sections.ts';
import { readFilter } from './sentences.ts';

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Enter the date as YYYY-MM-DD')
  .optional();

const rowSchema = z.object({
  join: z.enum(['and', 'or']).optional(),
  open: z.string().max(100).optional(),
  close: z.string().max(100).optional(),
  path: z.string().optional(),
  operator: z.enum(OPERATORS).optional(),
  value: z.string().optional(),
});

/** An empty line. */
export const BLANK_LINE = { join: 'and', open: '', path: '', operator: 'eq', value: '', close: '' } as const;

const filterShape = {
  /** Conditions line by line, or JSON for what lines cannot express. */
  mode: z.enum(['lines', 'json']).default('lines'),
  rows: z.array(rowSchema).default([]),
  json: z.string().optional(),
};
const exceptionSchema = z.object({
  assetId: z.string().optional(),
  reason: z.string().optional(),
  ...filterShape,
});
const titleShape = { title: z.string({ error: 'Enter a title' }).trim().min(1, 'Enter a title').max(250) };
const describedShape = { ...titleShape, description: z.string().max(1000).optional() };
const datedShape = {
  ...describedShape,
  startDate: date,
  expirationDate: date,
  enabled: z.boolean().default(false),
};
const ruleShape = {
  ...datedShape,
  exceptions: z.array(exceptionSchema).default([]),
  ...filterShape,
};

const numberIn = (what: string) => z.number({ error: `Enter ${what} as a number` });

/** The form for each part's items. */
export const ITEM_FORMS = {
  scopes: z.object({ ...describedShape, ...filterShape }),
  eligibility: z.object({
    ...ruleShape,
    groupBy: z.string().optional(),
    parent: z.string().optional(),
    percent: numberIn('the share').optional(),
  }),
  performance: z.object(ruleShape),
  offsets: z.object({
    ...datedShape,
    kind: z.enum(OFFSET_KINDS).default('field'),
    groupBy: z.string().optional(),
    parent: z.string().optional(),
    field: z.string().optional(),
    amounts: z.enum(OFFSET_AMOUNTS).default('perGroup'),
    file: z.string().optional(),
    groupColumn: z.string().optional(),
    amountColumn: z.string().optional(),
  }),
  concentration: z.object({
    ...ruleShape,
    groupBy: z.string().optional(),
    topN: numberIn('how many').int().min(1).optional(),
    skipN: numberIn('how many').int().min(0).optional(),
    accumulator: z.enum(ACCUMULATORS).default('$sum'),
    accumulatorField: z.string().optional(),
    weightedField: z.string().optional(),
    operand: z.enum(OPERANDS).default('lte'),
    value: numberIn('the limit'),
    unit: z.enum(THRESHOLD_UNITS).default('percentage'),
    of: z.string().optional(),
  }),
  advance: z.object({
    ...titleShape,
    rate: numberIn('the rate').pipe(ratePercentSchema),
    scope: z.string().optional(),
    ...filterShape,
  }),
  values: z.object({
    ...titleShape,
    pool: z.enum(VALUE_POOLS).default('eligibleOrPerforming'),
    accumulator: z.enum(ACCUMULATORS).default('$sum'),
    field: z.string().optional(),
    weightedField: z.string().optional(),
    ...filterShape,
  }),
  reserves: z.object({
    ...datedShape,
    kind: z.enum(RESERVE_KINDS).default('percentage'),
    percent: numberIn('the percentage').optional(),
    of: z.string().optional(),
    months: numberIn('the months').optional(),
    amount: numberIn('the amount').optional(),
    credits: z.string().optional(),
    sales: z.string().optional(),
    frequency: z.enum(FREQUENCIES).default('monthly'),
  }),
} as const satisfies Record<ContractSection, z.ZodObject>;
export const ITEM_DESCRIPTIONS = describeForms(ITEM_FORMS);

export const detailsForm = z.object({
  title: z.string().max(250).optional(),
  cutOffDate: z.string({ error: 'Contract cutOffDate cannot be null' }).pipe(calendarDateSchema),
  assetsETL: z.string({ error: 'Choose a mapping' }),
});

export const defaultRateForm = z.object({
  defaultRate: numberIn('the rate').pipe(ratePercentSchema),
});

export const overlapForm = z.object({ overlap: limitOverlapSchema });

export const tapeLimitsForm = z.object({
  changedPercent: numberIn('the percentage').optional(),
  leftPercent: numberIn('the percentage').optional(),
});

export const certificationForm = z.object({
  certifying: z.enum(valuesOf(CERTIFYING_LABELS)),
  text: contractCertificationSchema.shape.text,
});

type FilterForm = z.output<z.ZodObject<typeof filterShape>>;

/** Whether a line has more than its comparison, which always has a value. */
const isWritten = ({ path, open, close, value }: FilterForm['rows'][number]): boolean =>
  Boolean(path || open || close || value?.trim());

/**
 * The filter from the form's lines or its JSON.
 * @param at where these are in the form: `exceptions[0].`
 * @throws Refusal with flags at the fields of the form
 */
export function ruleFilterOfForm(form: FilterForm, catalog: FieldCatalog, at = ''): Record<string, unknown> {
  const problem = (field: string, reason: string) => problemAt(`${at}${field}`, reason);
  if (form.mode === 'json') {
    try {
      return filterToJson(parseFilter(form.json ?? '', catalog));
    } catch (error) {
      throw problem('json', reasonOfRefusal(error));
    }
  }
  const written = form.rows.flatMap((row, index) => {
    if (!isWritten(row)) return [];
    if (!row.path) throw problem(`rows[${index}].path`, 'Choose a field');
    return [{ ...row, path: row.path, index }];
  });
  const rows = written.map(({ index, operator = 'eq', value = '', ...line }): FilterRow => {
    const found = catalog.resolve(line.path);
    if (!('field' in found)) throw problem(`rows[${index}].path`, 'Choose a field');
    if (operator === 'exists') return { ...line, operator, value: !/^(no|false)$/i.test(value.trim()) };
    if (value.trim() === '') throw problem(`rows[${index}].value`, 'Enter a value');
    if (operator === 'like' && !/[%_]/.test(value)) return { ...line, operator, value: `%${value}%` };
    return { ...line, operator, value: valueFromText(found.field, operator, value, catalog.fields) };
  });
  try {
    return filterToJson(rowsToFilter(rows, catalog));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [at, reason] = Object.entries(error.flags ?? {})[0] ?? [];
    const index = written[Number(at?.slice('rows.'.length))]?.index ?? 0;
    throw problem(`rows[${index}].value`, reason ?? error.message);
  }
}

/** What is wrong with the brackets of the lines, even if their conditions are incomplete; null if nothing is. */
export function bracketProblem(rows: FilterForm['rows']): string | null {
  const lines = rows.flatMap((row, index) => (row.path ? [{ ...row, index }] : []));
  try {
    groupsOfLines(lines.map(({ join = 'and', open = '', close = '' }) => ({ join, open, close, leaf: null })));
    return null;
  } catch (error) {
    if (error instanceof BracketError) return `Condition ${(lines[error.line]?.index ?? 0) + 1}: ${error.message}`;
    throw error;
  }
}

const problemAt = (field: string, reason: string) => new Refusal('badRequest', reason, { flags: { [field]: reason } });

function exceptionsOfForm(
  form: { exceptions: readonly z.output<typeof exceptionSchema>[] },
  catalog: FieldCatalog,
): RuleException[] {
  return form.exceptions.flatMap(({ assetId, reason, ...condition }, index): RuleException[] => {
    const at = `exceptions[${index}].`;
    const hasLines = condition.rows.some(isWritten);
    const hasJson = Boolean(condition.json?.trim());
    if (condition.mode === 'lines' && hasJson && !hasLines)
      throw problemAt(`${at}mode`, 'Choose JSON, or clear the JSON box');
    const hasCondition = condition.mode === 'json' ? hasJson : hasLines;
    if (assetId && hasCondition) throw problemAt(`${at}assetId`, 'Enter either an asset or a condition');
    if (assetId) return [{ assetId, reason }];
    if (hasCondition) return [{ filter: ruleFilterOfForm(condition, catalog, at), reason }];
    if (reason) throw problemAt(`${at}assetId`, 'Enter an asset or a condition');
    return [];
  });
}

/** What the contract stores from a form. @throws Refusal with flags at the form's fields */
export function itemOfForm(
  section: ContractSection,
  form: Record<string, unknown>,
  catalog: FieldCatalog,
): Record<string, unknown> {
  if (section === 'reserves') return reserveOfForm(form as z.output<typeof ITEM_FORMS.reserves>);
  if (section === 'offsets') return offsetOfForm(form as z.output<typeof ITEM_FORMS.offsets>);
  const { mode, rows, json, exceptions, operand, value, unit, of, ...own } = form as FilterForm &
    Record<string, unknown>;
  const filter = ruleFilterOfForm({ mode, rows, json }, catalog);
  const ruled =
    exceptions === undefined
      ? {}
      : { exceptions: exceptionsOfForm(form as Parameters<typeof exceptionsOfForm>[0], catalog) };
  if (section === 'eligibility') {
    const { groupBy, parent, percent, ...rule } = own;
    if (!groupBy && percent !== undefined) throw problemAt('groupBy', 'Choose what makes a group, or clear the share');
    if (!groupBy && parent) throw problemAt('groupBy', 'Choose what makes a group, or clear its parent');
    const wholeGroup = { groupBy, ...(parent ? { parent } : {}), percent };
    return { ...rule, filter, ...ruled, ...(groupBy ? { wholeGroup } : {}) };
  }
  const equator = section === 'concentration' ? { equator: { operand, unit, value, ...(of ? { of } : {}) } } : {};
  // A value over its whole pool has no filter.
  const narrowed = section === 'values' && Object.keys(filter).length === 0 ? {} : { filter };
  return { ...own, ...narrowed, ...ruled, ...equator };
}

/** A reserve has the figures of its kind. Others may be left over from a kind that was chosen before. */
function reserveOfForm({
  kind,
  percent,
  of,
  months,
  amount,
  credits,
  sales,
  frequency,
  ...own
}: z.output<typeof ITEM_FORMS.reserves>) {
  const figures = {
    amount: { amount },
    percentage: { percent, ...(of ? { of } : {}) },
    months: { percent, months },
    dilution: { percent, ...(of ? { of } : {}), credits: credits ?? '', sales: sales ?? '', frequency },
  };
  return { ...own, kind, ...figures[kind] };
}

/** An offset has what its kind needs. Others may be left over from a kind that was chosen before. */
function offsetOfForm({
  kind,
  field,
  amounts,
  file,
  groupColumn,
  amountColumn,
  parent,
  ...own
}: z.output<typeof ITEM_FORMS.offsets>) {
  if (!own.groupBy) throw problemAt('groupBy', 'Choose what makes a group');
  if (kind === 'field' && !field) throw problemAt('field', 'Choose the field with the amount');
  if (kind === 'file') {
    if (!file) throw problemAt('file', 'Enter a part of the file’s name');
    if (!groupColumn) throw problemAt('groupColumn', 'Enter the header of the column with the groups');
    if (!amountColumn) throw problemAt('amountColumn', 'Enter the header of the column with the amounts');
  }
  const stated = { field: { field, amounts }, file: { file, groupColumn, amountColumn }, negatives: {} };
  return { ...own, kind, ...(parent ? { parent } : {}), ...stated[kind] };
}

/** What a new item starts with: what the form stores for a field that is left out, so that no choice starts as its first. */
const startOf = (section: ContractSection): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(ITEM_FORMS[section].shape).flatMap(([name, schema]) =>
      schema instanceof z.ZodDefault && typeof schema.def.defaultValue === 'string'
        ? [[name, schema.def.defaultValue]]
        : [],
    ),
  );

/** Whether a line can show a condition so that it is saved unchanged. */
function fitsLine({ operator, value, ignoreCase }: FilterRow): boolean {
  if (operator === 'regex') return !ignoreCase;
  // Without a wildcard it is the whole text, and a line would be saved as a part of it.
  if (operator === 'like') return /[%_]/.test(String(value));
  // Commas separate the values of a list, and its box has one line.
  return !Array.isArray(value) || value.every((entry) => !/^\s|[,\r\n]|\s$/.test(String(entry)));
}

/** A filter in the form. Everything has no lines. */
function formOfFilter(
  filter: FilterInput | undefined,
  catalog: FieldCatalog,
): z.input<z.ZodObject<typeof filterShape>> {
  const read = readFilter(filter, catalog);
  if ('problem' in read) {
    return { mode: 'json', rows: [], json: typeof filter === 'string' ? filter : JSON.stringify(filter, null, 2) };
  }
  const lines = filterToRows(read);
  const json = isEverything(read) ? '' : JSON.stringify(filterToJson(read), null, 2);
  if (!lines?.every(fitsLine)) return { mode: 'json', rows: [], json };
  const rows = lines.map(({ join, open, close, path, operator, value }) => ({
    ...{ join, open, close, path, operator },
    value: operator === 'exists' ? (value ? '' : 'no') : valueToText({ operator, value }, catalog.fields),
  }));
  return { mode: 'lines', rows, json };
}

/** Further exceptions by condition open as JSON, so that the form stays within the number of fields that it may have. */
const MAX_EXCEPTIONS_IN_LINES = 50;

/** An exception that is not filled in yet. */
export const BLANK_EXCEPTION = { assetId: '', rows: [BLANK_LINE] } as const;

function formOfExceptions(exceptions: readonly RuleException[], catalog: FieldCatalog) {
  let inLines = 0;
  return exceptions.map(({ assetId, filter, reason }): z.input<typeof exceptionSchema> => {
    if (filter === undefined) return { assetId, reason, rows: [BLANK_LINE] };
    const condition = formOfFilter(filter, catalog);
    // Without lines the exception would be removed.
    if (condition.rows?.length === 0) return { reason, ...condition, mode: 'json', json: condition.json || '{}' };
    inLines += 1;
    return inLines > MAX_EXCEPTIONS_IN_LINES
      ? { reason, mode: 'json', json: condition.json }
      : { reason, ...condition, json: '' };
  });
}

/** The form's fields for a stored item (or a new one). The screen adds one empty line. */
export function formOfItem(section: ContractSection, item: Record<string, unknown> | null, catalog: FieldCatalog) {
  const { filter, exceptions, equator, wholeGroup, ...own } = (item ?? { enabled: true }) as Record<string, unknown>;
  return {
    ...startOf(section),
    ...own,
    ...(own.enabled === undefined ? {} : { enabled: own.enabled ? 'on' : undefined }),
    ...formOfFilter(filter as FilterInput | undefined, catalog),
    exceptions: formOfExceptions(Array.isArray(exceptions) ? (exceptions as RuleException[]) : [], catalog),
    ...(equator && typeof equator === 'object' ? equator : {}),
    ...(wholeGroup && typeof wholeGroup === 'object' ? wholeGroup : {}),
  } as Record<string, unknown>;
}
