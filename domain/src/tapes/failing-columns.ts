import { fieldsOf } from '../filters/filter.ts';
import { readCellReason } from './cell-reasons.ts';
import type { MappingPlan } from './mapping-plan.ts';
import type { ColumnSource, PlannedRule } from './planned-rule.ts';
import type { Serialization, SerializationType } from './serialization.schema.ts';
import type { CellProblem, ErroredRow } from './tape.schema.ts';

/**
 * First steps that read the rule's own cell. If they cannot convert it, that cell is wrong, whatever later steps read.
 */
const CONVERSIONS: ReadonlySet<SerializationType> = new Set<SerializationType>([
  'number',
  'boolean',
  'date',
  'percentage',
  'SerializedSum',
  'SerializedTerm',
  'SerializedInterest',
  'SerializedPercentage',
  'distance',
  'weight',
  'assetStatus',
]);

/**
 * The headers of the cells that made a row fail. A reason on a column blames that column's cell. A reason that names
 * another column blames the other cell. A reason about a calculated value blames every cell that the rule calculates
 * with.
 */
export function failingColumns(row: Pick<ErroredRow, 'origin' | 'errors'>, plan: MappingPlan): ReadonlySet<string> {
  const rules = new Map<number, ReadRule>();
  // In the order of execution: a rule uses only those before it.
  for (const planned of plan.rules) rules.set(planned.index, { planned, headers: headersOfRule(planned, rules) });
  const headers = row.errors.flatMap((problem) => headersOfProblem(problem, row.origin, rules));
  return new Set(headers.filter((header) => Object.hasOwn(row.origin, header)));
}

interface ReadRule {
  readonly planned: PlannedRule;
  /** The headers that its value is made of. */
  readonly headers: readonly string[];
}

type Rules = ReadonlyMap<number, ReadRule>;

function headersOfProblem(problem: CellProblem, origin: ErroredRow['origin'], rules: Rules): readonly string[] {
  const rule = rules.get(problem.rule - 1)?.planned;
  const own = problem.column === null ? [] : [problem.column];
  if (!rule) return own;
  const { code, column } = readCellReason(problem.reason);
  const source = column === null ? undefined : sourceNamed(rule, column);
  if (source) return headersOfSource(source, rules);
  const first = rule.steps[0]?.step.type;
  const isOwnCell =
    (first !== undefined && CONVERSIONS.has(first) && code === 'notConverted') ||
    (problem.column !== null && origin[problem.column] === null);
  return isOwnCell && own.length > 0 ? own : [...own, ...headersOfRule(rule, rules, code === 'compared')];
}

const sourceNamed = (rule: PlannedRule, name: string): ColumnSource | undefined =>
  rule.steps.map(({ columns }) => columns.get(name)).find((source) => source !== undefined);

const headersOfSource = (source: ColumnSource, rules: Rules): readonly string[] =>
  source.from === 'origin' ? [source.header] : (rules.get(source.rule)?.headers ?? []);

/**
 * The headers that a rule's value is made of. Cells that only decide which value to use count only if there are no
 * others.
 * @param withCurrency whether the cell that names an amount's currency counts
 */
function headersOfRule(rule: PlannedRule, rules: Rules, withCurrency = true): string[] {
  const made = [
    ...(rule.header === null ? [] : [rule.header]),
    ...rule.steps
      .filter(({ step }) => withCurrency || !namesCurrency(step))
      .flatMap(({ columns }) => [...columns.values()].flatMap((each) => headersOfSource(each, rules))),
  ];
  return [...new Set(made.length > 0 ? made : rule.steps.flatMap((step) => headersOfFilter(step.filter, rules)))];
}

const namesCurrency = (step: Serialization): boolean => step.type === 'SerializedSum';

/** The fields of a step's filter are `origin.<header>`, or `rule.<index>` and a part. */
function headersOfFilter(filter: PlannedRule['steps'][number]['filter'], rules: Rules): string[] {
  if (!filter) return [];
  return fieldsOf(filter).flatMap(({ path }) =>
    path.startsWith('origin.')
      ? [path.slice('origin.'.length)]
      : (rules.get(Number(path.split('.')[1]))?.headers ?? []),
  );
}
