import { checkHeaders, headerKey } from './headers.ts';
import { headersRead } from './lacking-rules.ts';
import { type MappingPlan, planMapping, remainingField, rulesRead } from './mapping-plan.ts';
import type { PlannedRule } from './planned-rule.ts';
import type { MappingRule } from './rule.schema.ts';
import type { TargetField } from './target-schema.ts';

/** A published tape as the dictionary names it. */
export interface DictionaryTape {
  readonly id: string;
  readonly name: string;
  readonly cutOffDate: string;
  /** The version of the mapping that it was mapped with. */
  readonly mappingId: string;
}

/** A tape with the headers of its sheet, in the order of the columns. */
export interface TapeWithColumns extends DictionaryTape {
  readonly columns: readonly string[];
}

/** A column over the tapes of one mapping. */
export interface DictionaryColumn {
  /** As the last tape writes it. */
  readonly header: string;
  /** Null for a column that no tape has yet, but a mapping names. */
  readonly first: DictionaryTape | null;
  readonly last: DictionaryTape | null;
}

/** A saved version of a mapping. */
export interface MappingVersion {
  readonly id: string;
  readonly version: number;
  readonly sheetName: string;
  readonly rules: readonly MappingRule[];
  readonly extractedOriginColsFromLoanTape: readonly string[];
}

/** How a column is used, or where a field comes from. */
export const COLUMN_USE_LABELS = {
  field: 'Becomes this field',
  input: 'Used to calculate this field',
  kept: 'Kept as text',
  calculated: 'Calculated without a column',
  unused: 'Not used',
} as const;
export type ColumnUse = keyof typeof COLUMN_USE_LABELS;

/** What a field has on the last tape. */
export interface FilledField {
  /** Assets with a value. */
  readonly filled: number;
  /** Assets of the tape. */
  readonly assets: number;
  /** The first value of the tape as people read it; null if there is none. */
  readonly example: string | null;
}

/** A line of the dictionary: a column in one of its uses, or a field that is calculated without a column. */
export interface DictionaryLine {
  readonly mapping: Pick<MappingVersion, 'id' | 'version' | 'sheetName'>;
  readonly column: string | null;
  readonly use: ColumnUse;
  /** Null for a column that is not used. */
  readonly field: TargetField | null;
  /** The rule that makes the field; null for a column that is kept as text or not used. */
  readonly rule: PlannedRule | null;
  /** Null if it is unknown: not on the last tape, not stored, or made by another rule than on that tape. */
  readonly onLastTape: FilledField | null;
  readonly first: DictionaryTape | null;
  readonly last: DictionaryTape | null;
}

/**
 * The columns of tapes that one mapping has mapped: those of the last tape first, in the order of its sheet. Tapes
 * write a header with other spaces and capitals, unless one tape has columns that differ only by these.
 * @param tapes last tape first
 */
export function columnsOverTapes(tapes: readonly TapeWithColumns[]): DictionaryColumn[] {
  const ambiguous = new Set(tapes.flatMap(({ columns }) => repeatedKeys(columns)));
  const found = new Map<string, DictionaryColumn>();
  for (const { columns, ...tape } of tapes) {
    for (const header of new Set(columns)) {
      const key = headerKey(header);
      if (key === '') continue;
      const identity = ambiguous.has(key) ? `exactly ${header}` : key;
      found.set(identity, { header, last: tape, ...found.get(identity), first: tape });
    }
  }
  return [...found.values()];
}

function repeatedKeys(columns: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(columns)].map(headerKey).filter((key) => seen.size === seen.add(key).size);
}

/** A version with its plan. */
export interface PlannedVersion extends MappingVersion {
  readonly plan: MappingPlan;
}

export const planVersion = (version: MappingVersion): PlannedVersion => ({ ...version, plan: planMapping(version) });

/** One mapping over its tapes. */
export interface MappedColumns {
  readonly columns: readonly DictionaryColumn[];
  /** The version in use: the last one saved. */
  readonly inUse: PlannedVersion;
  /** The last tape, the version that it was mapped with, and what its fields have, by path. Null without a tape. */
  readonly last: {
    readonly tape: DictionaryTape;
    readonly version: PlannedVersion;
    readonly filled: ReadonlyMap<string, FilledField>;
  } | null;
}

/**
 * The columns with those that no tape has yet: headers that the version in use reads and, before the first tape, all
 * headers that it was made with.
 */
export function withPlannedColumns(columns: readonly DictionaryColumn[], inUse: PlannedVersion): DictionaryColumn[] {
  const without = (header: string): DictionaryColumn => ({ header, first: null, last: null });
  const named = columns.length === 0 ? inUse.extractedOriginColsFromLoanTape : [];
  const byKey = new Map(named.map((header) => [headerKey(header), header]));
  const known = [...columns, ...[...byKey].flatMap(([key, header]) => (key === '' ? [] : without(header)))];
  const { missing } = checkHeaders(
    inUse.plan,
    known.map(({ header }) => header),
  );
  return [...known, ...missing.map(without)];
}

/**
 * The version that describes each column, by its id. The version in use describes the columns of the last tape and those
 * that it reads. A column that was renamed or left out since is described by the version that its last tape was mapped
 * with.
 */
export function versionsOfColumns({ columns, inUse, last }: MappedColumns): ReadonlyMap<DictionaryColumn, string> {
  const uses = usesOf(inUse, columns);
  const isCurrent = (column: DictionaryColumn) => uses.has(column) || column.last?.id === last?.tape.id;
  return new Map(
    columns.map((column) => [column, isCurrent(column) ? inUse.id : (column.last?.mappingId ?? inUse.id)]),
  );
}

interface Use {
  readonly use: ColumnUse;
  readonly field: TargetField;
  readonly rule: PlannedRule | null;
}

function usesOf({ plan }: PlannedVersion, columns: readonly DictionaryColumn[]): Map<DictionaryColumn, Use[]> {
  const { indexOf } = checkHeaders(
    plan,
    columns.map(({ header }) => header),
  );
  const uses = new Map<DictionaryColumn, Use[]>();
  const add = (header: string, use: Use): void => {
    const column = columns[indexOf.get(header) ?? -1];
    if (column) uses.set(column, [...(uses.get(column) ?? []), use]);
  };
  for (const rule of plan.rules) {
    const { header: own, target: field } = rule;
    for (const header of new Set(headersRead(rule)))
      add(header, { use: header === own ? 'field' : 'input', field, rule });
    if (own !== null && rule.rule.remainOriginCol) add(own, { use: 'kept', field: remainingField(own), rule: null });
  }
  return uses;
}

/** The lines of each column that a version describes, one for each use. */
export function describeColumns(
  described: readonly DictionaryColumn[],
  version: PlannedVersion,
  mapped: MappedColumns,
): Map<DictionaryColumn, DictionaryLine[]> {
  const uses = usesOf(version, mapped.columns);
  const known = knownOnLastTape(version, mapped);
  const linesOf = (column: DictionaryColumn): DictionaryLine[] => {
    const { header, first, last } = column;
    const line = { mapping: version, column: header, first, last };
    const used = uses.get(column);
    if (!used) return [{ ...line, use: 'unused', field: null, rule: null, onLastTape: null }];
    const isThere = last !== null && last.id === mapped.last?.tape.id;
    return used.map((use) => ({ ...line, ...use, onLastTape: isThere ? known(use) : null }));
  };
  return new Map(described.map((column) => [column, linesOf(column)]));
}

/** The fields that the version in use calculates without a column, in the order in which its rules run. */
export function describeCalculated(mapped: MappedColumns): DictionaryLine[] {
  const { inUse } = mapped;
  const known = knownOnLastTape(inUse, mapped);
  return inUse.plan.rules.flatMap((rule): DictionaryLine[] => {
    if (headersRead(rule).length > 0) return [];
    const use = { use: 'calculated', field: rule.target, rule } as const;
    return [{ ...use, mapping: inUse, column: null, onLastTape: known(use), first: null, last: null }];
  });
}

/**
 * What a field has on the last tape, if it was made there by the same rule, from results of the same rules. What another
 * rule put into the field says nothing about this one.
 */
function knownOnLastTape(version: PlannedVersion, { last }: MappedColumns): (use: Use) => FilledField | null {
  if (!last) return () => null;
  const numbers = new Map<string, number>();
  const made = new Set(numberRules(last.version.plan.rules, numbers).values());
  const own = numberRules(version.plan.rules, numbers);
  const kept = new Set(
    last.version.plan.rules.flatMap(({ header, rule }) =>
      header !== null && rule.remainOriginCol ? remainingField(header).path : [],
    ),
  );
  return ({ field, rule }) => {
    if (rule?.temporary) return null;
    const isSame = rule ? made.has(own.get(rule.index) ?? -1) : kept.has(field.path);
    return isSame ? (last.filled.get(field.path) ?? null) : null;
  };
}

/** Numbers that are equal for rules that are equal and read equal rules. @param numbers shared by the compared versions */
function numberRules(rules: readonly PlannedRule[], numbers: Map<string, number>): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const planned of rules) {
    const { sequence, ...rule } = planned.rule;
    const text = JSON.stringify([rule, rulesRead(planned).map((index) => found.get(index))]);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    found.set(planned.index, number);
  }
  return found;
}
