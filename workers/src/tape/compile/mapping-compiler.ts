import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { NAMED_VALUE, namedValue } from '@tapeline/domain/tapes/cell-reasons.ts';
import { CONDITION_CUT_OFF } from '@tapeline/domain/tapes/column-catalog.ts';
import { type MappingPlan, remainingField, rulesRead } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { ColumnSource, PlannedRule, PlannedStep } from '@tapeline/domain/tapes/planned-rule.ts';
import { implausibleSql, type PlausibleRange, plausibleRangeOf } from '@tapeline/domain/tapes/plausible-ranges.ts';
import { leavesEmpty } from '@tapeline/domain/tapes/rule.schema.ts';
import type { FigureOptions } from '@tapeline/domain/tapes/serialization.schema.ts';
import type { TapeFacts } from '@tapeline/domain/tapes/tape.schema.ts';
import { hasUnread, type LakeColumn, ROW_COLUMN, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';
import type { CellFacts } from './cell-facts.ts';
import { isBlank, stagedCell } from './cells.ts';
import { firstOf } from './conversions.ts';
import { Layers, type Program, type ProgramTables } from './layers.ts';
import { asBoolean, asNumber, asText, plainFigures, shownCell, unreadText } from './readings.ts';
import { type Fragment, join, numberConstant, over, raw, sql, text } from './sql.ts';
import { compileStep } from './steps.ts';
import {
  type Compilation,
  MISSING,
  missingOf,
  type Outcome,
  part,
  partsOf,
  REASONS,
  shownResult,
  single,
  type Value,
  validationProblem,
} from './values.ts';

/** The input of a compilation, independent of the facts about the cells. */
export interface MappingSource {
  readonly plan: MappingPlan;
  readonly tape: TapeFacts;
  readonly epoch: 1900 | 1904;
  /** Column index of each header that the mapping reads. The column is staged under this number. */
  readonly indexOf: ReadonlyMap<string, number>;
}

/** The errors column of mapped rows and of errored parts. */
export const ERRORS_TYPE =
  'STRUCT("rule" INTEGER, "column" VARCHAR, "target" VARCHAR, "value" VARCHAR, "reason" VARCHAR)[]';

/** Number of adjacent layers whose errors are combined into one column. */
const LEVELS_TOGETHER = 8;

/** Maximum number of characters of a value that an error quotes, since every rule may quote the same long text. */
export const LONGEST_QUOTE = 300;

const ROW = raw(quoteName(ROW_COLUMN));
const as = (fragment: Fragment, name: string): Fragment => sql`${fragment} AS ${name}`;

interface Finished {
  readonly planned: PlannedRule;
  readonly value: Value;
  /** A conversion error or a missing mandatory value. */
  readonly error: Fragment | null;
  /** Why the value could not be read, if this leaves it empty instead of being an error; and the same after its cell. */
  readonly why: Fragment | null;
  readonly unread: Fragment | null;
  /** Errors of validations. There can be several at once. */
  readonly problems: readonly Fragment[];
}

/** Compiles the rules of a plan to SQL over staged columns. */
export class MappingCompiler {
  readonly #source: MappingSource;
  readonly #facts: ReadonlyMap<number, CellFacts>;
  readonly #compilation: Compilation;
  readonly #finished = new Map<number, Finished>();
  readonly #readable = new Map<number, Value>();
  readonly #conditionColumns = new Map<string, Fragment>();

  /** @param facts what is known about the sheet's columns, by column index; nothing is known about omitted columns */
  constructor(source: MappingSource, facts: ReadonlyMap<number, CellFacts> = new Map()) {
    this.#source = source;
    this.#facts = facts;
    const coded = [...facts].filter(([, { layout }]) => layout === 'codes').map(([index]) => index);
    this.#compilation = { layers: new Layers(coded), epoch: source.epoch };
    for (const planned of source.plan.rules) this.#finished.set(planned.index, this.#compileRule(planned));
  }

  /** Whether a cell can leave the field of the rule at this index empty because it cannot be read. */
  canBeUnread(index: number): boolean {
    return Boolean(this.#finished.get(index)?.unread);
  }

  get depth(): number {
    return this.#compilation.layers.depth;
  }

  /** `row`, the lake columns, and `invalid`: whether the row fails any rule. */
  columnsProgram(tables: ProgramTables): Program {
    const invalid = as(this.#invalid(), 'invalid');
    return this.#compilation.layers.program([ROW, ...this.#outputs(), invalid], tables);
  }

  /** `row`, `errors` (every reason of the row, NULL if it has none), and these lake columns. */
  errorsProgram(tables: ProgramTables, columns: readonly LakeColumn[]): Program {
    const names = new Set(columns.map(({ name }) => name));
    return this.#compilation.layers.program([ROW, this.#errors(), ...this.#outputs(names)], tables);
  }

  /** `row`, the lake columns, and `errors`. */
  rowsProgram(tables: ProgramTables): Program {
    return this.#compilation.layers.program([ROW, ...this.#outputs(), this.#errors()], tables);
  }

  /**
   * `row`, every rule's result as text (`shown_1` and so on, by the rule's position), whether it is outside the
   * plausible range of its field (`warned_1`, for rules whose field has a range), why it could not be read (`unread_1`, for
   * rules that leave their field empty then), and `errors`.
   */
  previewProgram(tables: ProgramTables): Program {
    const finished = [...this.#finished.values()];
    const shown = finished.map(({ planned, value }) => as(shownResult(value), `shown_${planned.index + 1}`));
    const warned = finished.flatMap((each) => {
      const implausible = implausibleResult(each);
      return implausible ? [as(implausible, `warned_${each.planned.index + 1}`)] : [];
    });
    const unread = finished.flatMap((each) =>
      each.unread ? [as(each.unread, `unread_${each.planned.index + 1}`)] : [],
    );
    return this.#compilation.layers.program([ROW, ...shown, ...warned, ...unread, this.#errors()], tables);
  }

  #cell(header: string): Value {
    const index = this.#source.indexOf.get(header);
    if (index === undefined) throw new Error(`The header ${header} was not looked up`);
    return stagedCell(index, this.#facts.get(index));
  }

  /** The value of a column that a step reads. A failed rule provides no value to later rules. */
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
    let why: Fragment | null = null;
    let unread: Fragment | null = null;
    if (leavesEmpty(rule)) {
      const found = firstOf([...errors.splice(0), this.#inherited(planned, value)]);
      if (found) {
        why = layers.define(`r${index + 1}_unreadable`, found);
        unread = this.#unreadReason(planned, why);
        value = this.#guarded(value, why, `r${index + 1}_read`);
      }
    }
    if (rule.checks.includes('Mandatory')) {
      errors.push(sql`CASE WHEN ${isMissing(value)} THEN ${text(REASONS.missing)} END`);
    }
    const first = firstOf(errors);
    const error = first && layers.define(`r${index + 1}_error`, first);
    // If no step ever produces a value, there is nothing to validate.
    const validations = planned.result === 'missing' ? [] : rule.validations;
    const problems = validations.map((validation, at) =>
      layers.define(`r${index + 1}_v${at + 1}`, validationProblem(this.#compilation, validation, value, error)),
    );
    return { planned, value, error, why, unread, problems };
  }

  /** Converts the last step's result to the kind of its target. */
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
      columns.push(this.#conditionColumn(field.path, field.type, planned.figures.get(field.path)));
      return `filtered_${columns.length - 1}`;
    });
    // Replaces the placeholders of the filter with bound texts, constants and columns. A column can also be a constant.
    const written = compiled.sql.replace(/\$(\d+)|\bfiltered_(\d+)\b/g, (_, value, column) =>
      value === undefined ? columns[Number(column)]!.sql : this.#constant(compiled.values[Number(value) - 1]).sql,
    );
    return over(`coalesce(${written}, FALSE)`, columns);
  }

  #constant(value: string | number | boolean | undefined): Fragment {
    if (typeof value === 'string') return this.#compilation.layers.literal(value);
    return typeof value === 'number' ? numberConstant(value) : raw(String(value ?? null));
  }

  /** `origin.<header>` with the type it is compared as, or `rule.<index>` and a part. */
  #conditionColumn(path: string, type: string, figures: FigureOptions | undefined): Fragment {
    const key = `${type} ${path}`;
    const known = this.#conditionColumns.get(key);
    if (known) return known;
    if (path === CONDITION_CUT_OFF.path) return raw(`DATE '${this.#source.tape.cutOffDate}'`);
    const column = path.startsWith('origin.')
      ? this.#originColumn(path.slice('origin.'.length), type, figures)
      : this.#ruleColumn(path.split('.'));
    this.#conditionColumns.set(key, column);
    return column;
  }

  #originColumn(header: string, type: string, figures: FigureOptions | undefined): Fragment {
    const cell = this.#cell(header);
    const name = `o${this.#source.indexOf.get(header)}_${type}`;
    if (type === 'number') {
      const figure = plainFigures(this.#compilation, cell, figures, name);
      return part(asNumber(this.#compilation, figure, name).value);
    }
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

  /** The lake columns in the order of the plan's fields. If names are given, only those columns. */
  #outputs(names?: ReadonlySet<string>): Fragment[] {
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
      if (each?.unread && hasUnread(field)) sources[field.columns.length - 1] = each.unread;
      return field.columns.flatMap((column, at) =>
        names && !names.has(column.name)
          ? []
          : [as(sql`CAST(${sources[at] ?? raw('NULL')} AS ${column.type})`, quoteName(column.name))],
      );
    });
  }

  /** Why Temporary results could not be read that a rule names, if it stays empty. */
  #inherited(planned: PlannedRule, value: Value): Fragment | null {
    const reasons = rulesRead(planned).flatMap((index) => {
      const made = this.#finished.get(index);
      if (!made?.why || !made.planned.temporary) return [];
      const { header } = made.planned;
      return [
        header === null || header === planned.header ? made.why : sql`${text(namedValue(header))} || ${made.why}`,
      ];
    });
    const first = firstOf(reasons);
    return first && sql`CASE WHEN ${isMissing(value)} THEN ${first} END`;
  }

  /** Why a cell could not be read, after what it holds: `"abc" is not a number`. */
  #unreadReason({ index, header }: PlannedRule, why: Fragment): Fragment {
    const { layers } = this.#compilation;
    if (header === null) return why;
    const cell = shownCell(this.#compilation, this.#cell(header));
    // Both are evaluated for the rows alone in which the cell cannot be read.
    const read = layers.define(`r${index + 1}_unread_cell`, sql`CASE WHEN ${why} IS NOT NULL THEN ${cell} END`);
    const quoted = sql`CASE WHEN length(${read}) > ${LONGEST_QUOTE} THEN left(${read}, ${LONGEST_QUOTE}) || '…' ELSE ${read} END`;
    const isNamed = sql`starts_with(${why}, ${quoteText(NAMED_VALUE)})`;
    return layers.define(
      `r${index + 1}_unread`,
      sql`CASE WHEN ${why} IS NULL OR ${isNamed} THEN ${why} ELSE coalesce('"' || ${quoted} || '" ', '') || ${why} END`,
    );
  }

  #reasons(): { each: Finished; error: Fragment }[] {
    return [...this.#finished.values()].flatMap((each) =>
      [each.error, ...each.problems]
        .filter((error): error is Fragment => error !== null)
        .map((error) => ({ each, error })),
    );
  }

  /**
   * Whether the row has any error. Errors of distinct cells are evaluated over those cells, and errors of rules at a
   * similar depth are combined into one column, so that deep mappings do not carry every error through to the end.
   */
  #invalid(): Fragment {
    const { layers } = this.#compilation;
    const groups = new Map<string, Fragment[]>();
    for (const { error } of this.#reasons()) {
      const group = `problemy_${error.reads ?? 'always'}_${Math.floor(error.level / LEVELS_TOGETHER)}`;
      groups.set(group, [...(groups.get(group) ?? []), sql`${error} IS NOT NULL`]);
    }
    if (groups.size === 0) return raw('false');
    const parts = [...groups].map(([name, broken]) => layers.define(name, sql`(${join(broken, ' OR ')})`));
    return sql`(${join(parts, ' OR ')})`;
  }

  /** Every error of a row as a list, NULL if it has none. The list is only built for rows that need it. */
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
      return sql`CASE WHEN ${error} IS NOT NULL THEN {'rule': CAST(${index + 1} AS INTEGER), 'column': ${column}, 'target': ${quoteText(name)}, 'value': left(${value}, ${LONGEST_QUOTE + 1}), 'subject': ${subject}, 'why': ${error}} END`;
    });
    const list = sql`list_filter([${join(entries, ', ')}], lambda entry: entry IS NOT NULL)`;
    const quoted = `CASE WHEN length(entry.value) > ${LONGEST_QUOTE} THEN left(entry.value, ${LONGEST_QUOTE}) || '…' ELSE entry.value END`;
    const reason = `CASE WHEN starts_with(entry.why, ${quoteText(NAMED_VALUE)}) THEN entry.why WHEN entry.value IS NULL THEN entry.subject || entry.why ELSE '"' || ${quoted} || '" ' || entry.why END`;
    const worded = sql`list_transform(${list}, lambda entry: {'rule': entry.rule, 'column': entry."column", 'target': entry.target, 'value': ${quoted}, 'reason': ${reason}})`;
    return as(sql`CASE WHEN ${clean} THEN NULL ELSE ${worded} END`, 'errors');
  }
}

const isMissing = (value: Value): Fragment => (value.kind === 'cell' ? isBlank(value) : sql`${part(value)} IS NULL`);

/** Whether a result is outside the plausible range of its field. Null if the field has no range. */
function implausibleResult({ planned, value, error }: Finished): Fragment | null {
  const range = rangeOfRule(planned);
  if (!range) return null;
  const judged = part(value, range.column.endsWith('.days') ? 'days' : 'value');
  const implausible = over(`coalesce(${implausibleSql(range, judged.sql)}, FALSE)`, [judged]);
  return error ? sql`(${error} IS NULL AND ${implausible})` : implausible;
}

/** The plausible range of a rule's field. A Temporary result belongs to no field. */
export const rangeOfRule = ({ temporary, target, result }: PlannedRule): PlausibleRange | undefined =>
  temporary || result === 'missing' ? undefined : plausibleRangeOf(target.path);

const stepKindOf = (kind: TargetField['kind']): Value['kind'] =>
  kind === 'assetStatus' ? 'status' : kind === 'assetType' || kind === 'currency' ? 'text' : kind;
