import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { checkHeaders, describeHeaderProblems } from '@tapeline/domain/tapes/headers.ts';
import { type MappingPlan, planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { implausibleReason } from '@tapeline/domain/tapes/plausible-ranges.ts';
import type { MappingRule } from '@tapeline/domain/tapes/rule.schema.ts';
import type { TapeFacts } from '@tapeline/domain/tapes/tape.schema.ts';
import type { LakeColumn, TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { CellFacts } from './cell-facts.ts';
import type { Program, ProgramTables } from './layers.ts';
import { MappingCompiler, rangeOfRule } from './mapping-compiler.ts';
import { originJson } from './origin.ts';
import { rowBytes } from './row-bytes.ts';

export interface SheetFacts {
  /** In column order. Column i is staged as `t{i} n{i} s{i}`. */
  readonly headers: readonly string[];
  readonly epoch: 1900 | 1904;
}

/** A field that is finalized over the whole tape, with the rule that requires it. */
export interface WholeTapeTarget {
  /** 1-based position of the rule in the mapping. */
  readonly rule: number;
  readonly originCol: string | null;
  readonly path: string;
  readonly label: string;
  readonly columns: readonly LakeColumn[];
  /** Values that an earlier row has get the number of their occurrence. */
  readonly isNumbered: boolean;
}

export interface CompiledRule {
  readonly rule: number;
  readonly originCol: string | null;
  readonly target: TargetField;
  readonly temporary: boolean;
  /** The name of the rule's column in the preview program. */
  readonly shown: string;
  /**
   * Set if the rule's field has a plausible range: the preview program's column that reports whether the result is
   * outside it.
   */
  readonly warned: { readonly column: string; readonly reason: string } | null;
  /** The preview program's column with why a cell could not be read, if that leaves the field empty. */
  readonly unread: string | null;
}

/** A mapping as SQL over the rows of a staged table, in row order. */
export interface CompiledMapping {
  /** Lake columns of the assets part, after `row`. */
  readonly columns: readonly LakeColumn[];
  readonly fields: readonly TargetField[];
  readonly rules: readonly CompiledRule[];
  /** Indexes of the sheet's columns that the mapping reads. */
  readonly usedColumns: readonly number[];
  /** Selects `row`, the lake columns, and `errors` (NULL for an asset) from rows in the raw layout. */
  rowsProgram(tables: ProgramTables): Program;
  /** Selects `row`, `errors` and the judged columns from rows in the raw layout for which these facts are known. */
  errorsProgram(facts: ReadonlyMap<number, CellFacts>, tables: ProgramTables): Program;
  /**
   * Selects `row`, a text column for every rule's result (including Temporary ones), and `errors` from rows in the raw
   * layout.
   */
  previewProgram(tables: ProgramTables): Program;
  /** Selects `row`, the lake columns, and `invalid` from rows whose columns are staged as these facts describe. */
  columnsProgram(facts: ReadonlyMap<number, CellFacts>, tables: ProgramTables): Program;
  /**
   * An upper bound for the bytes that mapping one row produces.
   * @param longest length in bytes of the longest text of the column at an index
   */
  rowBytes(longest: (index: number) => number): number;
  /** SQL for a staged row's cells as JSON text, header to value. */
  readonly originJson: string;
  readonly sheet: SheetFacts;
  /** Lake columns that Unique and Consistent compare. Errored rows are checked by them too. */
  readonly judgedColumns: readonly LakeColumn[];
  readonly uniqueTargets: readonly WholeTapeTarget[];
  readonly consistentTargets: readonly WholeTapeTarget[];
  /** The ids are row numbers. */
  readonly hasUnstableIds: boolean;
}

type MappingRules = {
  readonly rules: readonly MappingRule[];
  readonly extractedOriginColsFromLoanTape?: readonly string[];
};

/**
 * Compiles a mapping into DuckDB SQL, one layer at a time.
 * @throws Refusal if the mapping is inconsistent, or if headers that it reads are missing or duplicated in the sheet
 * (lists all of them)
 */
export function compileMapping(mapping: MappingRules, sheet: SheetFacts, tape: TapeFacts): CompiledMapping {
  const plan = planMapping(mapping);
  const [problem] = plan.issues;
  if (problem) throw new Refusal('badRequest', problem.message, { issues: plan.issues });
  const source = { plan, tape, epoch: sheet.epoch, indexOf: placesOf(plan, sheet.headers) };
  const general = new MappingCompiler(source);
  const [uniqueTargets, consistentTargets] = [wholeTapeTargets(plan, 'Unique'), wholeTapeTargets(plan, 'Consistent')];
  const judgedColumns = judgedColumnsOf(plan, uniqueTargets, consistentTargets);
  return {
    columns: plan.fields.flatMap((field) => field.columns),
    fields: plan.fields,
    rules: plan.rules.map((planned) => {
      const { index, header, target, temporary } = planned;
      const range = rangeOfRule(planned);
      return {
        rule: index + 1,
        originCol: header,
        target,
        temporary,
        shown: `shown_${index + 1}`,
        warned: range ? { column: `warned_${index + 1}`, reason: implausibleReason(range) } : null,
        unread: general.canBeUnread(index) ? `unread_${index + 1}` : null,
      };
    }),
    usedColumns: [...new Set(source.indexOf.values())].sort((a, b) => a - b),
    rowsProgram: (tables) => general.rowsProgram(tables),
    errorsProgram: (facts, tables) => new MappingCompiler(source, facts).errorsProgram(tables, judgedColumns),
    previewProgram: (tables) => general.previewProgram(tables),
    columnsProgram: (facts, tables) => new MappingCompiler(source, facts).columnsProgram(tables),
    rowBytes: (longest) => rowBytes(plan, (header) => longest(source.indexOf.get(header) ?? 0)),
    originJson: originJson(sheet),
    sheet,
    judgedColumns,
    uniqueTargets,
    consistentTargets,
    hasUnstableIds: plan.hasUnstableIds,
  };
}

/** Includes the asset id if needed, because Consistent compares with the earlier row of the same asset id. */
function judgedColumnsOf(
  plan: MappingPlan,
  unique: readonly WholeTapeTarget[],
  consistent: readonly WholeTapeTarget[],
): LakeColumn[] {
  const names = new Set([...unique, ...consistent].flatMap(({ columns }) => columns.map(({ name }) => name)));
  if (consistent.length > 0) names.add('assetId');
  return plan.fields.flatMap(({ columns }) => columns.filter(({ name }) => names.has(name)));
}

function placesOf(plan: MappingPlan, sheetHeaders: readonly string[]): ReadonlyMap<string, number> {
  const headers = checkHeaders(plan, sheetHeaders);
  const refused = describeHeaderProblems(headers, sheetHeaders);
  if (!refused) return headers.indexOf;
  const flags = Object.fromEntries([
    ...headers.missing.map((header) => [header, 'is not a header of the sheet']),
    ...headers.duplicated.map((header) => [header, 'is the header of more than one column']),
  ]);
  throw new Refusal('badRequest', refused, { flags });
}

const wholeTapeTargets = (plan: MappingPlan, check: 'Unique' | 'Consistent'): WholeTapeTarget[] =>
  plan.rules
    .filter(({ rule, temporary }) => !temporary && rule.checks.includes(check))
    .map(({ index, rule, header, target }) => ({
      rule: index + 1,
      originCol: header,
      path: target.path,
      label: target.label,
      columns: target.columns,
      isNumbered: check === 'Unique' && rule.onDuplicate === 'numbered',
    }));
