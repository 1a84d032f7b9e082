import { because, type Reason, reason } from '../errors/reason.ts';
import type { Filter } from '../filters/filter.ts';
import type { Formula } from './formulas/formula.ts';
import type { FormulaType } from './formulas/formula-type.ts';
import type { MappingRule } from './rule.schema.ts';
import type { FigureOptions, Serialization, SerializationOf } from './serialization.schema.ts';
import type { TargetField } from './target-schema.ts';
import type { ValueKind } from './value-kinds.ts';

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
  /**
   * How texts write figures that the step reads without options of its own: those of the columns that it names, as
   * written, those of its filter by the path of the field, and its input by `null`. Others are read by default.
   */
  readonly figures: ReadonlyMap<string | null, FigureOptions>;
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
export interface RuleContext {
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
/** What is wrong with a rule, after its name: `Rule 3 ("Balance" to sums.outstandingSum), step 1 (trim): …` */
export function atRule(rule: MappingRule, index: number, text: string, step = '') {
  const name = `Rule ${index + 1} (${rule.originCol === null ? 'computed' : `"${rule.originCol}"`} to ${rule.targetCol})`;
  return because(reason('mappingRule', { rule: `${name}${step}`, text }));
}
