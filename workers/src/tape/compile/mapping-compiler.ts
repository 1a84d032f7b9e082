import { quoteName, quoteText } from '@tapeline/db/lake/lake.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import {
  type ColumnSource,
  type MappingPlan,
  type PlannedRule,
  type PlannedStep,
  remainingField,
} from '@tapeline/domain/tapes/mapping-plan.ts';
import type { TapeFacts } from '@tapeline/domain/tapes/tape.schema.ts';
import { ROW_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { CellFacts } from './cell-facts.ts';
import { isBlank, stagedCell } from './cells.ts';
import { firstOf } from './conversions.ts';
import { Layers, type Program, type ProgramTables } from './layers.ts';
import { asBoolean, asNumber, asText, shownCell, unreadText } from './readings.ts';
import { partsOf, shownResult, validationFault } from './results.ts';
import { type Fragment, join, numberConstant, over, raw, sql, text } from './sql.ts';
import { compileStep } from './steps.ts';
import { type Compilation, MISSING, missingOf, type Outcome, part, REASONS, single, type Value } from './values.ts';

/** What is compiled, for whichever cells. */
export interface MappingSource {
  readonly plan: MappingPlan;
  readonly tape: TapeFacts;
  readonly epoch: 1900 | 1904;
  /** Place of each header that the mapping reads; its column is staged under that number. */
  readonly indexOf: ReadonlyMap<string, number>;
}

/** The errors column of mapped rows and of errored parts. */
export const ERRORS_TYPE =
  'STRUCT("rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)[]';

/** Layers whose reasons make one column. */
const LEVELS_TOGETHER = 8;

const ROW = raw(quoteName(ROW_COLUMN));
const as = (fragment: Fragment, name: string): Fragment => sql`${fragment} AS ${name}`;

interface Finished {
  readonly planned: PlannedRule;
  readonly value: Value;
  /** A conversion fault or a missing mandatory value. */
  readonly error: Fragment | null;
  /** Faults of validations; several can stand at once. */
  readonly faults: readonly Fragment[];
}

/** Compiles the rules of a plan to SQL over staged columns. */
export class MappingCompiler {
  readonly #source: MappingSource;
  readonly #facts: ReadonlyMap<number, CellFacts>;
  readonly #compilation: Compilation;
  readonly #finished = new Map<number, Finished>();
  readonly #readable = new Map<number, Value>();
  readonly #conditionColumns = new Map<string, Fragment>();

  /** @param facts what is known of the sheet's columns, by place; nothing is of those left out */
  constructor(source: MappingSource, facts: ReadonlyMap<number, CellFacts> = new Map()) {
    this.#source = source;
    this.#facts = facts;
    const coded = [...facts].filter(([, { layout }]) => layout === 'codes').map(([place]) => place);
    this.#compilation = { layers: new Layers(coded), epoch: source.epoch };
    for (const planned of source.plan.rules) this.#finished.set(planned.index, this.#compileRule(planned));
  }

  get depth(): number {
    return this.#compilation.layers.depth;
  }

  /** `row`, the lake columns, and `faulty`: whether the row fails any rule. */
  columnsProgram(tables: ProgramTables): Program {
    const faulty = as(this.#faulty(), 'faulty');
    return this.#compilation.layers.program([ROW, ...this.#outputs(), faulty], tables);
  }

  /** `row`, and `errors`: every reason of the row, NULL where it has none. */
  errorsProgram(tables: ProgramTables): Program {
    return this.#compilation.layers.program([ROW, this.#errors()], tables);
  }

  /** `row`, the lake columns, and `errors`. */
  rowsProgram(tables: ProgramTables): Program {
    return this.#compilation.layers.program([ROW, ...this.#outputs(), this.#errors()], tables);
  }

  /** `row`, every rule's result in words (`shown_1` and so on, by the rule's place), and `errors`. */
  previewProgram(tables: ProgramTables): Program {
    const shown = [...this.#finished.values()].map(({ planned, value }) =>
      as(shownResult(value), `shown_${planned.index + 1}`),
    );
    return this.#compilation.layers.program([ROW, ...shown, this.#errors()], tables);
  }

  #cell(header: string): Value {
    const place = this.#source.indexOf.get(header);
    if (place === undefined) throw new Error(`The header ${header} was not looked up`);
    return stagedCell(place, this.#facts.get(place));
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
          cutOffDate: this.#source.tape.cutOffDate,
          primaryCurrency: this.#source.tape.primaryCurrency,
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
    if (rule.checks.includes('Mandatory')) {
      const missing = value.kind === 'cell' ? isBlank(value) : sql`${part(value)} IS NULL`;
      errors.push(sql`CASE WHEN ${missing} THEN ${text(REASONS.missing)} END`);
    }
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
        return { value: single('status', status), error: unreadText(value, status, REASONS.notStatus) };
      }
      case 'assetType': {
        const s = part(value);
        const type = layers.define(
          name,
          sql`CASE tape_key(${s}) WHEN 'loan' THEN 'loan' WHEN 'investment' THEN 'investment' END`,
        );
        return { value: single('text', type), error: unreadText(value, type, REASONS.notAssetType) };
      }
      case 'currency': {
        const s = part(value);
        const code = layers.define(name, sql`tape_currency(${s})`);
        return { value: single('text', code), error: unreadText(value, code, REASONS.notCurrency) };
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
    const columns: Fragment[] = [];
    const compiled = filterToDuckDb(planned.filter, (field) => {
      columns.push(this.#conditionColumn(field.path, field.type));
      return `filtered_${columns.length - 1}`;
    });
    // Several statements cannot share bound values, so they are written out. A column may be a constant here.
    const written = compiled.sql.replace(/\$(\d+)|\bfiltered_(\d+)\b/g, (_, value, column) =>
      value === undefined ? columns[Number(column)]!.sql : constantSql(compiled.values[Number(value) - 1]),
    );
    return over(`coalesce(${written}, FALSE)`, columns);
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
    const name = `o${this.#source.indexOf.get(header)}_${type}`;
    if (type === 'number') return part(asNumber(this.#compilation, cell, name).value);
    if (type === 'boolean') return part(asBoolean(this.#compilation, cell, name).value);
    return this.#compilation.layers.define(name, shownCell(this.#compilation, cell));
  }

  #ruleColumn([, index, named]: readonly string[]): Fragment {
    const source = this.#source.plan.rules.find((each) => each.index === Number(index));
    if (!source) throw new Error(`A condition names rule ${index}, which does not exist`);
    const value = this.#read({ from: 'rule', rule: source.index, kind: source.result });
    const name = named === 'kind' ? 'rateKind' : (named ?? 'value');
    if (value.kind === 'cell') {
      return this.#compilation.layers.define(`r${source.index + 1}_text`, shownCell(this.#compilation, value));
    }
    return part(value, name);
  }

  /** The lake columns, in the order of the plan's fields. */
  #outputs(): Fragment[] {
    const finished = [...this.#finished.values()];
    const made = new Map(
      finished.filter(({ planned }) => !planned.temporary).map((each) => [each.planned.target.path, each]),
    );
    const kept = new Map(
      finished
        .filter(({ planned }) => planned.rule.remainOriginCol && planned.header !== null)
        .map(({ planned }) => [remainingField(planned.header!).path, planned.header!]),
    );
    return this.#source.plan.fields.flatMap((field) => {
      const each = made.get(field.path);
      const header = kept.get(field.path);
      const sources = each ? partsOf(each.value, field) : [shownCell(this.#compilation, this.#cell(header ?? ''))];
      return field.columns.map((column, at) =>
        as(sql`CAST(${sources[at] ?? raw('NULL')} AS ${column.type})`, quoteName(column.name)),
      );
    });
  }

  #reasons(): { each: Finished; error: Fragment }[] {
    return [...this.#finished.values()].flatMap((each) =>
      [each.error, ...each.faults]
        .filter((error): error is Fragment => error !== null)
        .map((error) => ({ each, error })),
    );
  }

  /**
   * What distinct cells fail at is worked out over them, and what rules of one depth fail at as one column, so that deep
   * mappings need not carry every reason to their end.
   */
  #faulty(): Fragment {
    const { layers } = this.#compilation;
    const groups = new Map<string, Fragment[]>();
    for (const { error } of this.#reasons()) {
      const group = `faulty_${error.reads ?? 'always'}_${Math.floor(error.level / LEVELS_TOGETHER)}`;
      groups.set(group, [...(groups.get(group) ?? []), sql`${error} IS NOT NULL`]);
    }
    if (groups.size === 0) return raw('false');
    const parts = [...groups].map(([name, broken]) => layers.define(name, sql`(${join(broken, ' OR ')})`));
    return sql`(${join(parts, ' OR ')})`;
  }

  /** Every reason of a row as a list, NULL where there is none; the list is only made for rows that need it. */
  #errors(): Fragment {
    const reasons = this.#reasons();
    if (reasons.length === 0) return as(raw(`CAST(NULL AS ${ERRORS_TYPE})`), 'errors');
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
    return as(sql`CASE WHEN ${clean} THEN NULL ELSE ${worded} END`, 'errors');
  }
}

const stepKindOf = (kind: TargetField['kind']): Value['kind'] =>
  kind === 'assetStatus' ? 'status' : kind === 'assetType' || kind === 'currency' ? 'text' : kind;

function constantSql(value: string | number | boolean | undefined): string {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'number' ? numberConstant(value).sql : String(value ?? null);
}
