import { quoteName } from '@tapeline/db/lake/lake.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { type Fragment, type Reads, raw } from './sql.ts';

/** Where a program finds its tables, and what it calls those that it makes; all names as SQL reads them. */
export interface ProgramTables {
  /** The staged rows. */
  readonly rows: string;
  /** The distinct cells of the coded column at this place: `code{place}`, and `t{place} n{place} s{place}`. */
  readonly cells: (place: number) => string;
  /** A table to be made; no name is asked for twice. */
  readonly made: (name: string) => string;
}

/** A SELECT, and the tables that have to be filled before it, in this order. */
export interface Program {
  readonly tables: readonly FilledTable[];
  readonly select: string;
}

export interface FilledTable {
  readonly name: string;
  readonly select: string;
}

type Stacked = Exclude<Reads, null>;

interface Column {
  readonly name: string;
  readonly sql: string;
  /** Staged and defined columns that it names. */
  readonly uses: readonly string[];
}

type Stack = Column[][];

/** What a stack stands on. */
interface Source {
  /** The column that every layer hands on. */
  readonly key: string;
  readonly from: string;
  /** Tables of coded columns' cells, by place. */
  readonly homes?: ReadonlyMap<number, string>;
  /** Begins the names of tables in between. */
  readonly label: string;
  readonly tables: ProgramTables;
}

/** Layers planned in one statement: beyond that, planning takes longer than what the tables in between cost. */
const DEEPEST_STATEMENT = 12;
/** Longer constants get a column of their own, lest they double with every use. */
const LONGEST_CONSTANT = 160;
const ROW = quoteName(ROW_COLUMN);
const STAGED = /^[tnsc]([0-9]+)$/;

/**
 * Columns stacked into layers, as few deep as their dependencies allow. A column is written once and named from then
 * on: inlined expressions (and chained lateral aliases) double with every use. What reads one coded column alone stands
 * in a stack of its own over that column's distinct cells, and is handed to the rows by code.
 */
export class Layers {
  readonly #coded: ReadonlySet<number>;
  readonly #stacks = new Map<Stacked, Stack>([['rows', []]]);
  readonly #homes = new Map<string, Stacked>();

  /** @param coded places of the columns that are staged as codes */
  constructor(coded: Iterable<number> = []) {
    this.#coded = new Set(coded);
  }

  /** Names a piece of SQL; a plain column or constant needs no layer of its own and is given back as it is. */
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

  /** Layers over the rows. */
  get depth(): number {
    return this.#stacks.get('rows')?.length ?? 0;
  }

  /** `SELECT outputs` over the layers, for every staged row in its order. */
  program(outputs: readonly Fragment[], tables: ProgramTables): Program {
    const rows = this.#stacks.get('rows')!;
    const read = neededBelow(rows, this.#columnsOf(outputs));
    const filled: FilledTable[] = [];
    const homes = new Map<number, string>();
    for (const place of this.#coded) {
      const names = [...read].filter((name) => this.#homeOf(name) === place);
      if (names.length === 0) continue;
      const stack = this.#stacks.get(place);
      if (stack === undefined) {
        homes.set(place, tables.cells(place));
        continue;
      }
      const label = `cells ${place}`;
      const table = tables.made(label);
      const code = `code${place}`;
      const columns = [code, ...names].map(raw);
      const written = this.#write(stack, columns, { key: code, from: tables.cells(place), label, tables });
      filled.push(...written.tables, { name: table, select: written.select });
      homes.set(place, table);
    }
    const written = this.#write(rows, outputs, { key: ROW, from: tables.rows, homes, label: 'rows', tables });
    return { tables: [...filled, ...written.tables], select: written.select };
  }

  #write(stack: Stack, outputs: readonly Fragment[], { key, from, homes = new Map(), label, tables }: Source): Program {
    const wanted = this.#columnsOf(outputs);
    const pieces: { table: string; names: ReadonlySet<string> }[] = [];
    const filled: FilledTable[] = [];
    // Rows are looked up by their place in tables in between, which hold them in the same order, and cells by their code.
    const source = (names: ReadonlySet<string>): string => {
      const cut = pieces.filter((piece) => [...names].some((name) => piece.names.has(name)));
      const coded = [...homes].filter(([place]) => [...names].some((name) => this.#homeOf(name) === place));
      return [
        from,
        ...cut.map((piece) => `POSITIONAL JOIN ${piece.table}`),
        ...coded.map(([place, table]) => `JOIN ${table} ON c${place} = code${place}`),
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
    const place = Number(STAGED.exec(name)?.[1]);
    return this.#coded.has(place) && !name.startsWith('c') ? place : 'rows';
  }

  #columnsOf = (fragments: readonly Fragment[]): Set<string> =>
    new Set(fragments.flatMap((fragment) => this.#columnsIn(fragment.sql)));

  /** Staged and defined columns that a piece of SQL names; texts and quoted names are no columns of ours. */
  #columnsIn(written: string): string[] {
    const bare = written.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ');
    const names = new Set(bare.match(/[a-z][a-z0-9_]*/g));
    return [...names].filter((name) => this.#homes.has(name) || STAGED.test(name));
  }
}

/** The columns that have to stand below these layers for the wanted ones to be read above them. */
function neededBelow(layers: Stack, wanted: ReadonlySet<string>): Set<string> {
  const needed = new Set(wanted);
  for (const layer of [...layers].reverse()) {
    const read = layer.filter(({ name }) => needed.has(name));
    for (const { name } of read) needed.delete(name);
    for (const { uses } of read) for (const name of uses) needed.add(name);
  }
  return needed;
}

/** Each layer hands on only what is still read above it. */
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
