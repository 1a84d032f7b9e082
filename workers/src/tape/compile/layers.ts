import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName } from '@tapeline/lake/lake.ts';
import { Literals, type TextVariable } from './literals.ts';
import { type Fragment, type Reads, raw } from './sql.ts';

/**
 * Where a program finds its tables, and the names of the tables that it creates. All names are given as they appear in
 * SQL.
 */
export interface ProgramTables {
  readonly rows: string;
  /** The distinct cells of the coded column at this index: `code{place}`, and `t{place} n{place} s{place}`. */
  readonly cells: (index: number) => string;
  /** The name for a new table. Called at most once per name. */
  readonly made: (name: string) => string;
}

/** A SELECT, and the tables that must be filled before it, in this order. */
export interface Program {
  readonly tables: readonly FilledTable[];
  readonly select: string;
  /** Must be bound before any of the program's statements is planned. */
  readonly variables: readonly TextVariable[];
}

export interface FilledTable {
  readonly name: string;
  readonly select: string;
}

type Stacked = Exclude<Reads, null>;

interface Column {
  readonly name: string;
  readonly sql: string;
  /** Staged and defined columns that the SQL references. */
  readonly uses: readonly string[];
}

type Stack = Column[][];

/** The source that a stack of layers reads from. */
interface Source {
  /** The column that every layer passes on. */
  readonly key: string;
  readonly from: string;
  /** Tables of the distinct cells of coded columns, by column index. */
  readonly homes?: ReadonlyMap<number, string>;
  /** Prefix for the names of intermediate tables. */
  readonly label: string;
  readonly tables: ProgramTables;
}

/**
 * Maximum number of layers that are planned in one statement. Beyond this, planning costs more than intermediate
 * tables.
 */
const DEEPEST_STATEMENT = 12;
/** Longer constants get a column of their own, because inlining them doubles their size with every use. */
const LONGEST_CONSTANT = 160;
const ROW = quoteName(ROW_COLUMN);
const STAGED = /^[tnsc]([0-9]+)$/;

/**
 * Arranges columns into as few layers as their dependencies allow. Each column is written once and referenced by name
 * after that, because inlined expressions (and chained lateral aliases) double in size with every use. Columns that
 * read only one coded column go into a separate stack over that column's distinct cells, and are joined to the rows by
 * code.
 */
export class Layers {
  readonly #coded: ReadonlySet<number>;
  readonly #stacks = new Map<Stacked, Stack>([['rows', []]]);
  readonly #homes = new Map<string, Stacked>();
  readonly #literals = new Literals();

  /** @param coded indexes of the columns that are staged as codes */
  constructor(coded: Iterable<number> = []) {
    this.#coded = new Set(coded);
  }

  /** Gives a piece of SQL a name. A plain column or constant needs no layer of its own and is returned unchanged. */
  define(name: string, fragment: Fragment): Fragment {
    if (/^[a-z][a-z0-9_]*$/.test(fragment.sql)) return fragment;
    if (fragment.reads === null && fragment.sql.length <= LONGEST_CONSTANT) return fragment;
    let unique = name;
    for (let copy = 2; this.#homes.has(unique); copy += 1) unique = `${name}_${copy}`;
    const reads = fragment.reads ?? 'rows';
    const stack = this.#stacks.get(reads) ?? [];
    this.#stacks.set(reads, stack);
    while (stack.length <= fragment.level) stack.push([]);
    stack[fragment.level]!.push({ name: unique, sql: fragment.sql, uses: this.#columnsIn(fragment.sql) });
    this.#homes.set(unique, reads);
    return { sql: unique, level: fragment.level + 1, reads };
  }

  /** A text that was written by the mapping's author. */
  literal(text: string): Fragment {
    return this.#literals.of(text);
  }

  get depth(): number {
    return this.#stacks.get('rows')?.length ?? 0;
  }

  /** `SELECT outputs` over the layers, for every staged row in order. */
  program(outputs: readonly Fragment[], tables: ProgramTables): Program {
    const rows = this.#stacks.get('rows')!;
    const read = neededBelow(rows, this.#columnsOf(outputs));
    const filled: FilledTable[] = [];
    const homes = new Map<number, string>();
    for (const index of this.#coded) {
      const names = [...read].filter((name) => this.#homeOf(name) === index);
      if (names.length === 0) continue;
      const stack = this.#stacks.get(index);
      if (stack === undefined) {
        homes.set(index, tables.cells(index));
        continue;
      }
      const label = `cells ${index}`;
      const table = tables.made(label);
      const code = `code${index}`;
      const columns = [code, ...names].map(raw);
      const written = this.#write(stack, columns, { key: code, from: tables.cells(index), label, tables });
      filled.push(...written.tables, { name: table, select: written.select });
      homes.set(index, table);
    }
    const written = this.#write(rows, outputs, { key: ROW, from: tables.rows, homes, label: 'rows', tables });
    return { tables: [...filled, ...written.tables], select: written.select, variables: this.#literals.variables };
  }

  #write(
    stack: Stack,
    outputs: readonly Fragment[],
    { key, from, homes = new Map(), label, tables }: Source,
  ): Omit<Program, 'variables'> {
    const wanted = this.#columnsOf(outputs);
    const pieces: { table: string; names: ReadonlySet<string> }[] = [];
    const filled: FilledTable[] = [];
    // Intermediate tables keep the row order, so rows are joined by position. Cells are joined by code.
    const source = (names: ReadonlySet<string>): string => {
      const cut = pieces.filter((piece) => [...names].some((name) => piece.names.has(name)));
      const coded = [...homes].filter(([index]) => [...names].some((name) => this.#homeOf(name) === index));
      return [
        from,
        ...cut.map((piece) => `POSITIONAL JOIN ${piece.table}`),
        ...coded.map(([index, table]) => `JOIN ${table} ON c${index} = code${index}`),
      ].join(' ');
    };
    let start = 0;
    for (; stack.length - start > DEEPEST_STATEMENT; start += DEEPEST_STATEMENT) {
      const layers = stack.slice(start, start + DEEPEST_STATEMENT);
      const later = neededBelow(stack.slice(start + DEEPEST_STATEMENT), wanted);
      const names = layers.flat().flatMap(({ name }) => (later.has(name) ? [name] : []));
      if (names.length === 0) continue;
      const table = tables.made(`${label} ${start + layers.length}`);
      const select = selectOver(layers, names, new Set(names), key, source);
      filled.push({ name: table, select });
      pieces.push({ table, names: new Set(names) });
    }
    const written = outputs.map((output) => output.sql);
    return { tables: filled, select: selectOver(stack.slice(start), written, wanted, key, source) };
  }

  #homeOf(name: string): Stacked {
    const home = this.#homes.get(name);
    if (home !== undefined) return home;
    const index = Number(STAGED.exec(name)?.[1]);
    return this.#coded.has(index) && !name.startsWith('c') ? index : 'rows';
  }

  #columnsOf = (fragments: readonly Fragment[]): Set<string> =>
    new Set(fragments.flatMap((fragment) => this.#columnsIn(fragment.sql)));

  /** Staged and defined columns that a piece of SQL references. String literals and quoted names are ignored. */
  #columnsIn(written: string): string[] {
    const bare = written.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ');
    const names = new Set(bare.match(/[a-z][a-z0-9_]*/g));
    return [...names].filter((name) => this.#homes.has(name) || STAGED.test(name));
  }
}

/** The columns that must be available below these layers so that the wanted columns can be read above them. */
function neededBelow(layers: Stack, wanted: ReadonlySet<string>): Set<string> {
  const needed = new Set(wanted);
  for (const layer of [...layers].reverse()) {
    const read = layer.filter(({ name }) => needed.has(name));
    for (const { name } of read) needed.delete(name);
    for (const { uses } of read) for (const name of uses) needed.add(name);
  }
  return needed;
}

/** Selects over the layers. Each layer passes on only the columns that are still read above it. */
function selectOver(
  layers: Stack,
  outputs: readonly string[],
  wanted: ReadonlySet<string>,
  key: string,
  source: (names: ReadonlySet<string>) => string,
): string {
  let from = source(neededBelow(layers, wanted));
  const stages: string[] = [];
  for (const [index, layer] of layers.entries()) {
    const above = neededBelow(layers.slice(index + 1), wanted);
    const made = layer.filter(({ name }) => above.has(name));
    if (made.length === 0) continue;
    const names = new Set(made.map(({ name }) => name));
    const kept = [...above].filter((name) => !names.has(name));
    const columns = [key, ...kept, ...made.map((column) => `${column.sql} AS ${column.name}`)];
    const stage = `layer_${stages.length + 1}`;
    stages.push(`${stage} AS NOT MATERIALIZED (\n  SELECT ${columns.join(',\n    ')}\n  FROM ${from})`);
    from = stage;
  }
  const written = stages.length > 0 ? `WITH ${stages.join(',\n')}\n` : '';
  return `${written}SELECT\n  ${outputs.join(',\n  ')}\nFROM ${from}`;
}
