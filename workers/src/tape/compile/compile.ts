import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { checkHeaders, describeHeaderFaults } from '@tapeline/domain/tapes/headers.ts';
import { type MappingPlan, planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { Rule } from '@tapeline/domain/tapes/rule.schema.ts';
import type { TapeFacts } from '@tapeline/domain/tapes/tape.schema.ts';
import type { LakeColumn, TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { CellFacts } from './cell-facts.ts';
import type { Program, ProgramTables } from './layers.ts';
import { MappingCompiler } from './mapping-compiler.ts';
import { originJson } from './origin.ts';

/** The sheet a mapping is compiled for. */
export interface SheetFacts {
  /** In column order; column i is staged as `t{i} n{i} s{i}`. */
  readonly headers: readonly string[];
  readonly epoch: 1900 | 1904;
}

/** A field that is settled over the whole tape, with the rule that asked for it. */
export interface SettledTarget {
  /** Place of the rule in the mapping, from 1. */
  readonly rule: number;
  readonly originCol: string | null;
  readonly path: string;
  readonly label: string;
  readonly columns: readonly LakeColumn[];
}

export interface CompiledRule {
  readonly rule: number;
  readonly originCol: string | null;
  readonly target: TargetField;
  readonly temporary: boolean;
  /** The name of its column in the preview's program. */
  readonly shown: string;
}

/** A mapping as SQL over the rows of a staged table, in their order. */
export interface CompiledMapping {
  /** Lake columns of the assets part, after `row`. */
  readonly columns: readonly LakeColumn[];
  readonly fields: readonly TargetField[];
  readonly rules: readonly CompiledRule[];
  /** Positions of the sheet's columns that the mapping reads. */
  readonly usedColumns: readonly number[];
  /** `row`, the lake columns, and `errors` (NULL for an asset), of rows in the raw layout. */
  rowsProgram(tables: ProgramTables): Program;
  /** `row` and `errors`, of rows in the raw layout of which these facts are known. */
  errorsProgram(facts: ReadonlyMap<number, CellFacts>, tables: ProgramTables): Program;
  /** `row`, a text column for every rule's result (Temporary ones too), and `errors`, of rows in the raw layout. */
  previewProgram(tables: ProgramTables): Program;
  /** `row`, the lake columns, and `faulty`, of rows whose columns are staged as these facts say. */
  columnsProgram(facts: ReadonlyMap<number, CellFacts>, tables: ProgramTables): Program;
  /** A staged row's cells as JSON text, header to value. */
  readonly originJson: string;
  /** The sheet that it is compiled for. */
  readonly sheet: SheetFacts;
  readonly uniqueTargets: readonly SettledTarget[];
  readonly consistentTargets: readonly SettledTarget[];
}

type MappingRules = { readonly rules: readonly Rule[]; readonly extractedOriginColsFromLoanTape?: readonly string[] };

/**
 * Compiles a mapping into DuckDB SQL, a layer at a time. Throws a Refusal where the mapping is inconsistent, or where
 * the sheet lacks or doubles a header that it reads (all of them are listed).
 */
export function compileMapping(mapping: MappingRules, sheet: SheetFacts, tape: TapeFacts): CompiledMapping {
  const plan = planMapping(mapping);
  const [fault] = plan.issues;
  if (fault) throw new Refusal('badRequest', fault.message, { issues: plan.issues });
  const source = { plan, tape, epoch: sheet.epoch, indexOf: placesOf(plan, sheet.headers) };
  const general = new MappingCompiler(source);
  return {
    columns: plan.fields.flatMap((field) => field.columns),
    fields: plan.fields,
    rules: plan.rules.map(({ index, header, target, temporary }) => ({
      rule: index + 1,
      originCol: header,
      target,
      temporary,
      shown: `shown_${index + 1}`,
    })),
    usedColumns: [...new Set(source.indexOf.values())].sort((a, b) => a - b),
    rowsProgram: (tables) => general.rowsProgram(tables),
    errorsProgram: (facts, tables) => new MappingCompiler(source, facts).errorsProgram(tables),
    previewProgram: (tables) => general.previewProgram(tables),
    columnsProgram: (facts, tables) => new MappingCompiler(source, facts).columnsProgram(tables),
    originJson: originJson(sheet),
    sheet,
    uniqueTargets: settledTargets(plan, 'Unique'),
    consistentTargets: settledTargets(plan, 'Consistent'),
  };
}

function placesOf(plan: MappingPlan, sheetHeaders: readonly string[]): ReadonlyMap<string, number> {
  const headers = checkHeaders(plan, sheetHeaders);
  const refused = describeHeaderFaults(headers, sheetHeaders);
  if (!refused) return headers.indexOf;
  const flags = Object.fromEntries([
    ...headers.missing.map((header) => [header, 'is not a header of the sheet']),
    ...headers.duplicated.map((header) => [header, 'stands over more than one column']),
  ]);
  throw new Refusal('badRequest', refused, { flags });
}

const settledTargets = (plan: MappingPlan, check: 'Unique' | 'Consistent'): SettledTarget[] =>
  plan.rules
    .filter(({ rule, temporary }) => !temporary && rule.checks.includes(check))
    .map(({ index, header, target }) => ({
      rule: index + 1,
      originCol: header,
      path: target.path,
      label: target.label,
      columns: target.columns,
    }));
