import { quoteName, quoteText } from '@tapeline/db/lake/lake.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { checkHeaders, describeHeaderFaults } from '@tapeline/domain/tapes/headers.ts';
import {
  type ColumnSource,
  type PlannedRule,
  type PlannedStep,
  planMapping,
  remainingField,
} from '@tapeline/domain/tapes/mapping-plan.ts';
import type { Rule, Validation } from '@tapeline/domain/tapes/rule.schema.ts';
import type { TapeFacts } from '@tapeline/domain/tapes/tape.schema.ts';
import { type LakeColumn, ROW_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { firstOf } from './conversions.ts';
import { originJson } from './origin.ts';
import { type Fragment, join, Layers, numberConstant, raw, sql, text } from './sql.ts';
import { compileStep } from './steps.ts';
import {
  asBoolean,
  asNumber,
  asText,
  type Compilation,
  MISSING,
  missingOf,
  type Outcome,
  part,
  REASONS,
  shownCell,
  single,
  type Value,
} from './values.ts';

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
  /** The result in words: the name of its column after `previewStatements`. */
  readonly shown: string;
}

export interface CompiledMapping {
  /** Lake columns of the assets part, after `row`. */
  readonly columns: readonly LakeColumn[];
  readonly fields: readonly TargetField[];
  readonly rules: readonly CompiledRule[];
  /** Positions of the sheet's columns that the mapping reads. */
  readonly usedColumns: readonly number[];
  /**
   * Statements, run in order, that leave every row of a staged table in the temporary table `into`: `row`, the lake
   * columns, and `errors` (NULL for an asset).
   */
  mapStatements(stagedTable: string, into: string): string[];
  /** The same with a text column for every rule's result instead of the lake columns, Temporary ones too. */
  previewStatements(stagedTable: string, into: string): string[];
  /** A staged row's cells as JSON text, header to value. */
  readonly originJson: string;
  /** Nested subqueries of the statement. */
  readonly depth: number;
  readonly uniqueTargets: readonly SettledTarget[];
  readonly consistentTargets: readonly SettledTarget[];
}

type MappingRules = { readonly rules: readonly Rule[]; readonly extractedOriginColsFromLoanTape?: readonly string[] };

/**
 * Compiles a mapping into staged DuckDB SQL. Throws a Refusal where the mapping is inconsistent, or where the sheet
 * lacks or doubles a header that it reads (all of them are listed).
 */
export function compileMapping(mapping: MappingRules, sheet: SheetFacts, tape: TapeFacts): CompiledMapping {
  return new MappingCompiler(mapping, sheet, tape).compile();
}

interface Finished {
  readonly planned: PlannedRule;
  readonly value: Value;
  /** A conversion fault or a missing mandatory value. */
  readonly error: Fragment | null;
  /** Faults of validations; several can stand at once. */
  readonly faults: readonly Fragment[];
}

class MappingCompiler {
  readonly #sheet: SheetFacts;
  readonly #tape: TapeFacts;
  readonly #plan;
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #compilation: Compilation;
  readonly #finished = new Map<number, Finished>();
  readonly #readable = new Map<number, Value>();
  readonly #conditionColumns = new Map<string, Fragment>();

  constructor(mapping: MappingRules, sheet: SheetFacts, tape: TapeFacts) {
    this.#sheet = sheet;
    this.#tape = tape;
    this.#plan = planMapping(mapping);
    const [fault] = this.#plan.issues;
    if (fault) throw new Refusal('badRequest', fault.message, { issues: this.#plan.issues });
    const headers = checkHeaders(this.#plan, sheet.headers);
    const refused = describeHeaderFaults(headers, sheet.headers);
    if (refused) {
      const flags = Object.fromEntries([
        ...headers.missing.map((header) => [header, 'is not a header of the sheet']),
        ...headers.duplicated.map((header) => [header, 'stands over more than one column']),
      ]);
      throw new Refusal('badRequest', refused, { flags });
    }
    this.#indexOf = headers.indexOf;
    this.#compilation = { layers: new Layers(), epoch: sheet.epoch };
  }

  compile(): CompiledMapping {
    for (const planned of this.#plan.rules) this.#finished.set(planned.index, this.#compileRule(planned));
    const finished = [...this.#finished.values()];
    const outputs = this.#outputs(finished);
    const errors = this.#errors(finished);
    const { layers } = this.#compilation;
    const errorColumn = `${layers.define('row_errors', errors).sql} AS errors`;
    const shown = finished.map((each) => ({ ...each, name: `shown_${each.planned.index + 1}` }));
    const shownColumns = shown.map(({ value, name }) => `${shownResult(value).sql} AS ${name}`);
    const columns = this.#plan.fields.flatMap((field) => field.columns);
    return {
      columns,
      fields: this.#plan.fields,
      rules: shown.map(({ planned, name }) => ({
        rule: planned.index + 1,
        originCol: planned.header,
        target: planned.target,
        temporary: planned.temporary,
        shown: name,
      })),
      usedColumns: [...new Set(this.#indexOf.values())].sort((a, b) => a - b),
      mapStatements: (stagedTable, into) =>
        layers.statements([quoteName(ROW_COLUMN), ...outputs, errorColumn], stagedTable, into),
      previewStatements: (stagedTable, into) =>
        layers.statements([quoteName(ROW_COLUMN), ...shownColumns, errorColumn], stagedTable, into),
      originJson: originJson(this.#sheet),
      depth: layers.depth,
      uniqueTargets: this.#settled('Unique'),
      consistentTargets: this.#settled('Consistent'),
    };
  }

  #settled(check: 'Unique' | 'Consistent'): SettledTarget[] {
    return this.#plan.rules
      .filter(({ rule, temporary }) => !temporary && rule.checks.includes(check))
      .map(({ index, header, target }) => ({
        rule: index + 1,
        originCol: header,
        path: target.path,
        label: target.label,
        columns: target.columns,
      }));
  }

  #cell(header: string): Value {
    const index = this.#indexOf.get(header);
    if (index === undefined) throw new Error(`The header ${header} was not looked up`);
    return { kind: 'cell', parts: { t: raw(`t${index}`), n: raw(`n${index}`), s: raw(`s${index}`) } };
  }

  /** What a step's column holds. A rule that failed gives nothing to those after it. */
  #read(source: ColumnSource): Value {
    if (source.from === 'origin') return this.#cell(source.header);
    const known = this.#readable.get(source.rule);
    if (known) return known;
    const made = this.#finished.get(source.rule);
    if (!made) throw new Error(`Rule ${source.rule + 1} is read before it runs`);
    const value = made.error ? this.#guarded(made.value, made.error, `r${source.rule + 1}_made`) : made.value;
    this.#readable.set(source.rule, value);
    return value;
  }

  #guarded(value: Value, error: Fragment, name: string): Value {
    const parts: Record<string, Fragment> = {};
    for (const [key, column] of Object.entries(value.parts)) {
      const blank = key === 't' ? 'CAST(0 AS UTINYINT)' : 'NULL';
      parts[key] = this.#compilation.layers.define(
        key === 'value' ? name : `${name}_${key.toLowerCase()}`,
        sql`CASE WHEN ${error} IS NULL THEN ${column} ELSE ${blank} END`,
      );
    }
    return { kind: value.kind, parts };
  }

  #compileRule(planned: PlannedRule): Finished {
    const { rule, index } = planned;
    const { layers } = this.#compilation;
    let value: Value = planned.header === null ? MISSING : this.#cell(planned.header);
    const errors: Fragment[] = [];
    for (const [at, step] of planned.steps.entries()) {
      const outcome = compileStep(
        {
          compilation: this.#compilation,
          name: `r${index + 1}_s${at + 1}`,
          cutOffDate: this.#tape.cutOffDate,
          primaryCurrency: this.#tape.primaryCurrency,
          read: (source) => this.#read(source),
          condition: (each) => this.#condition(each),
        },
        step,
        value,
      );
      value = outcome.value;
      if (outcome.error) errors.push(layers.define(`r${index + 1}_s${at + 1}_error`, outcome.error));
    }
    if (!planned.temporary) {
      const fitted = this.#fit(value, planned, `r${index + 1}_fit`);
      value = fitted.value;
      if (fitted.error) errors.push(layers.define(`r${index + 1}_fit_error`, fitted.error));
    }
    const there = value.kind === 'cell' ? sql`${part(value, 't')} = 0` : sql`${part(value)} IS NULL`;
    if (rule.checks.includes('Mandatory')) errors.push(sql`CASE WHEN ${there} THEN ${text(REASONS.missing)} END`);
    const first = firstOf(errors);
    const error = first && layers.define(`r${index + 1}_error`, first);
    // Nothing to judge where no step ever makes anything.
    const validations = planned.result === 'missing' ? [] : rule.validations;
    const faults = validations.map((validation, at) =>
      layers.define(`r${index + 1}_v${at + 1}`, validationFault(validation, value, error)),
    );
    return { planned, value, error, faults };
  }

  /** The last step's result in the kind of its target. */
  #fit(value: Value, planned: PlannedRule, name: string): Outcome {
    const { target } = planned;
    const compilation = this.#compilation;
    const { layers } = compilation;
    if (value.kind === 'missing') return { value: missingOf(stepKindOf(target.kind)), error: null };
    switch (target.kind) {
      case 'assetStatus': {
        if (value.kind === 'status') return { value, error: null };
        const s = part(value);
        const status = layers.define(name, sql`tape_status(${s})`);
        return { value: single('status', status), error: unknownText(status, s, REASONS.notStatus) };
      }
      case 'assetType': {
        const s = part(value);
        const type = layers.define(
          name,
          sql`CASE tape_key(${s}) WHEN 'loan' THEN 'loan' WHEN 'investment' THEN 'investment' END`,
        );
        return { value: single('text', type), error: unknownText(type, s, REASONS.notAssetType) };
      }
      case 'currency': {
        const s = part(value);
        const code = layers.define(name, sql`tape_currency(${s})`);
        return { value: single('text', code), error: unknownText(code, s, REASONS.notCurrency) };
      }
      case 'text':
        return value.kind === 'cell' ? asText(compilation, value, name) : { value, error: null };
      case 'number':
        return asNumber(compilation, value, name);
      default:
        return { value, error: null };
    }
  }

  #condition(planned: PlannedStep): Fragment {
    if (!planned.filter) throw new Error('An ifStatement was planned without its filter');
    let level = 0;
    const compiled = filterToDuckDb(planned.filter, (field) => {
      const column = this.#conditionColumn(field.path, field.type);
      level = Math.max(level, column.level);
      return column.sql;
    });
    // Columns are bare names here, so every $n is a placeholder. Several statements cannot share bound values.
    const written = compiled.sql.replace(/\$(\d+)/g, (_, place) => constantSql(compiled.values[Number(place) - 1]));
    return { sql: `coalesce(${written}, FALSE)`, level };
  }

  /** `origin.<header>` typed as it is compared, or `rule.<index>` and a part. */
  #conditionColumn(path: string, type: string): Fragment {
    const key = `${type} ${path}`;
    const known = this.#conditionColumns.get(key);
    if (known) return known;
    const column = path.startsWith('origin.')
      ? this.#originColumn(path.slice('origin.'.length), type)
      : this.#ruleColumn(path.split('.'));
    this.#conditionColumns.set(key, column);
    return column;
  }

  #originColumn(header: string, type: string): Fragment {
    const cell = this.#cell(header);
    const name = `o${this.#indexOf.get(header)}_${type}`;
    if (type === 'number') return part(asNumber(this.#compilation, cell, name).value);
    if (type === 'boolean') return part(asBoolean(this.#compilation, cell, name).value);
    return this.#compilation.layers.define(name, shownCell(this.#compilation, cell));
  }

  #ruleColumn([, index, named]: readonly string[]): Fragment {
    const source = this.#plan.rules.find((each) => each.index === Number(index));
    if (!source) throw new Error(`A condition names rule ${index}, which does not exist`);
    const value = this.#read({ from: 'rule', rule: source.index, kind: source.result });
    const name = named === 'kind' ? 'rateKind' : (named ?? 'value');
    if (value.kind === 'cell') {
      return this.#compilation.layers.define(`r${source.index + 1}_text`, shownCell(this.#compilation, value));
    }
    return part(value, name);
  }

  /** The lake columns, in the order of `columns`. */
  #outputs(finished: readonly Finished[]): string[] {
    const made = new Map(
      finished.filter(({ planned }) => !planned.temporary).map((each) => [each.planned.target.path, each]),
    );
    const kept = new Map(
      finished
        .filter(({ planned }) => planned.rule.remainOriginCol && planned.header !== null)
        .map(({ planned }) => [remainingField(planned.header!).path, planned.header!]),
    );
    return this.#plan.fields.flatMap((field) => {
      const each = made.get(field.path);
      const header = kept.get(field.path);
      const sources: Fragment[] = each
        ? partsOf(each.value, field)
        : [shownCell(this.#compilation, this.#cell(header ?? ''))];
      return field.columns.map((column, at) => {
        const source = sources[at]?.sql ?? 'NULL';
        return `CAST(${source} AS ${column.type}) AS ${quoteName(column.name)}`;
      });
    });
  }

  /** Every reason of a row as a list, NULL where there is none; the list is only made for rows that need it. */
  #errors(finished: readonly Finished[]): Fragment {
    const reasons = finished.flatMap((each) =>
      [each.error, ...each.faults]
        .filter((error): error is Fragment => error !== null)
        .map((error) => ({ each, error })),
    );
    if (reasons.length === 0) return raw(`CAST(NULL AS ${ERRORS_TYPE})`);
    const clean = join(
      reasons.map(({ error }) => sql`${error} IS NULL`),
      ' AND ',
    );
    const entries = reasons.map(({ each, error }) => {
      const { rule, header, target, index } = each.planned;
      const value = header === null ? shownResult(each.value) : shownCell(this.#compilation, this.#cell(header));
      const subject = quoteText(`${header ?? target.label} `);
      const column = header === null ? 'CAST(NULL AS VARCHAR)' : quoteText(header);
      const name = rule.checks.includes('Temporary') ? rule.targetCol : target.path;
      return sql`CASE WHEN ${error} IS NOT NULL THEN {'rule': CAST(${index + 1} AS INTEGER), 'column': ${column}, 'target': ${quoteText(name)}, 'value': ${value}, 'subject': ${subject}, 'why': ${error}} END`;
    });
    const list = sql`list_filter([${join(entries, ', ')}], lambda entry: entry IS NOT NULL)`;
    const reason = `CASE WHEN starts_with(entry.why, 'the value of') THEN entry.why WHEN entry.value IS NULL THEN entry.subject || entry.why ELSE '"' || entry.value || '" ' || entry.why END`;
    const worded = sql`list_transform(${list}, lambda entry: {'rule': entry.rule, 'column': entry."column", 'target': entry.target, 'value': entry.value, 'reason': ${reason}})`;
    return sql`CASE WHEN ${clean} THEN NULL ELSE ${worded} END`;
  }
}

/** The errors column of mapped rows and of errored parts. */
export const ERRORS_TYPE =
  'STRUCT("rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)[]';

const unknownText = (result: Fragment, s: Fragment, reason: string): Fragment =>
  sql`CASE WHEN ${result} IS NULL AND ${s} IS NOT NULL AND NOT tape_blank(${s}) THEN ${text(reason)} END`;

const stepKindOf = (kind: TargetField['kind']): Value['kind'] =>
  kind === 'assetStatus' ? 'status' : kind === 'assetType' || kind === 'currency' ? 'text' : kind;

function partsOf(value: Value, field: TargetField): Fragment[] {
  switch (field.kind) {
    case 'amount':
      return [part(value), part(value, 'currency')];
    case 'interest':
      return [part(value), part(value, 'rateKind')];
    case 'term':
      return [part(value), part(value, 'unit'), part(value, 'days')];
    default:
      return [part(value)];
  }
}

/** A result in words: `1250.50 USD`, `36 months`, `11.49 %`. NULL where missing. */
function shownResult(value: Value): Fragment {
  const v = part(value);
  switch (value.kind) {
    case 'cell':
      return sql`CASE WHEN ${part(value, 't')} = 2 THEN ${part(value, 's')} WHEN ${part(value, 't')} = 0 THEN NULL ELSE coalesce(${part(value, 's')}, tape_number_text(${part(value, 'n')})) END`;
    case 'number':
      return sql`tape_number_text(${v})`;
    case 'amount':
      return sql`CAST(${v} AS VARCHAR) || ' ' || ${part(value, 'currency')}`;
    case 'percentage':
    case 'interest':
      return sql`tape_number_text(CAST(${v} AS DOUBLE)) || ' %'`;
    case 'term':
      return sql`tape_number_text(${v}) || ' ' || ${part(value, 'unit')}`;
    default:
      return sql`CAST(${v} AS VARCHAR)`;
  }
}

/** Why a result is out of bounds, or NULL; missing results, and rules that failed already, are passed over. */
function validationFault(validation: Validation, value: Value, error: Fragment | null): Fragment {
  const v = part(value);
  const fault = (broken: Fragment, reason: string): Fragment =>
    sql`CASE WHEN ${broken}${error ? sql` AND ${error} IS NULL` : ''} THEN ${text(reason)} END`;
  switch (validation.kind) {
    case 'minNumber':
      return fault(sql`${v} < ${boundSql(validation.value)}`, `is below ${validation.value}`);
    case 'maxNumber':
      return fault(sql`${v} > ${boundSql(validation.value)}`, `is above ${validation.value}`);
    case 'minDate':
      return fault(sql`${v} < DATE '${validation.value}'`, `is before ${validation.value}`);
    case 'maxDate':
      return fault(sql`${v} > DATE '${validation.value}'`, `is after ${validation.value}`);
    case 'notContains':
      return fault(sql`contains(${v}, ${text(validation.value)})`, `contains "${validation.value}"`);
    case 'mustContains':
      return fault(sql`NOT contains(${v}, ${text(validation.value)})`, `does not contain "${validation.value}"`);
    case 'mustBeTrue':
      return fault(sql`NOT ${v}`, 'is not true');
    case 'mustBeFalse':
      return fault(sql`${v}`, 'is not false');
    case 'minLength':
      return fault(sql`length(${v}) < ${validation.value}`, `is shorter than ${validation.value}`);
    case 'maxLength':
      return fault(sql`length(${v}) > ${validation.value}`, `is longer than ${validation.value}`);
  }
}

function constantSql(value: string | number | boolean | undefined): string {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'number' ? numberConstant(value).sql : String(value ?? null);
}

/** Written out in decimals, so that exact columns compare exactly. */
const boundSql = (bound: number): string =>
  /e/i.test(String(bound)) ? `CAST(${bound} AS DOUBLE)` : String(Object.is(bound, -0) ? 0 : bound);
