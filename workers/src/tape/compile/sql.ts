import { quoteName, quoteText } from '@tapeline/db/lake/lake.ts';

/** A piece of SQL, and the layer that has to stand below it before its columns can be named. */
export interface Fragment {
  readonly sql: string;
  /** 0 where it reads only the staged columns; a column defined in layer n is read from layer n on. */
  readonly level: number;
}

export const raw = (sql: string): Fragment => ({ sql, level: 0 });
/** A text constant. */
export const text = (value: string): Fragment => raw(quoteText(value));
export const NULL_TEXT = raw('CAST(NULL AS VARCHAR)');

/** A double as SQL reads it back to the last bit. */
export function numberConstant(value: number): Fragment {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number constant`);
  return raw(`CAST(${Object.is(value, -0) ? '0' : String(value)} AS DOUBLE)`);
}

/** SQL from a template; fragments may stand in it, and its level is the highest of theirs. */
export function sql(parts: TemplateStringsArray, ...values: readonly (Fragment | string | number)[]): Fragment {
  let written = parts[0] ?? '';
  let level = 0;
  for (const [index, value] of values.entries()) {
    if (typeof value === 'object') {
      written += value.sql;
      level = Math.max(level, value.level);
    } else {
      written += value;
    }
    written += parts[index + 1] ?? '';
  }
  return { sql: written, level };
}

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  return {
    sql: fragments.map((fragment) => fragment.sql).join(separator),
    level: Math.max(0, ...fragments.map((fragment) => fragment.level)),
  };
}

/**
 * Columns stacked into stages, as few deep as their dependencies allow. A column is written once and named
 * from then on: inlined expressions (and chained lateral aliases) double with every use.
 */
export class Layers {
  readonly #layers: { name: string; sql: string }[][] = [];
  readonly #names = new Set<string>();

  /** Names a piece of SQL; a plain column or constant needs no layer of its own and is given back as it is. */
  define(name: string, fragment: Fragment): Fragment {
    if (/^[a-z][a-z0-9_]*$/.test(fragment.sql)) return fragment;
    let unique = name;
    for (let copy = 2; this.#names.has(unique); copy += 1) unique = `${name}_${copy}`;
    this.#names.add(unique);
    while (this.#layers.length <= fragment.level) this.#layers.push([]);
    this.#layers[fragment.level]!.push({ name: unique, sql: fragment.sql });
    return { sql: unique, level: fragment.level + 1 };
  }

  get depth(): number {
    return this.#layers.length;
  }

  /**
   * Statements that leave `SELECT columns` over the layers in the temporary table `into`. A layer is read once, so none
   * is worth materialising, except where a mapping chains so deep that planning it in one piece would take minutes.
   * Each layer hands on only what is still read above it.
   */
  statements(columns: readonly string[], source: string, into: string): string[] {
    const needed = this.#neededAfter(columns);
    const statements: string[] = [];
    const cuts: string[] = [];
    let from = source;
    let start = 0;
    for (; this.#layers.length - start > DEEPEST_STATEMENT; start += DEEPEST_STATEMENT) {
      const cut = quoteName(`${into} ${start + DEEPEST_STATEMENT}`);
      const stages = this.#select(['*'], from, start, start + DEEPEST_STATEMENT, needed);
      statements.push(`CREATE OR REPLACE TEMP TABLE ${cut} AS ${stages}`);
      cuts.push(cut);
      from = cut;
    }
    const last = this.#select(columns, from, start, this.#layers.length, needed);
    statements.push(`CREATE OR REPLACE TEMP TABLE ${quoteName(into)} AS ${last}`);
    return [...statements, ...cuts.map((cut) => `DROP TABLE ${cut}`)];
  }

  /** For each layer, the columns from below it that something above it still reads. */
  #neededAfter(columns: readonly string[]): ReadonlySet<string>[] {
    const needed: ReadonlySet<string>[] = [];
    let above = new Set(columns.flatMap((column) => this.#columnsIn(column)));
    for (const [index, layer] of [...this.#layers.entries()].reverse()) {
      const below = new Set(above);
      for (const { name } of layer) below.delete(name);
      needed[index] = new Set(below);
      for (const { sql: written } of layer) for (const name of this.#columnsIn(written)) below.add(name);
      above = below;
    }
    return needed;
  }

  /** Staged and defined columns that a piece of SQL names; texts and quoted names are no columns of ours. */
  #columnsIn(written: string): string[] {
    const bare = written.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ');
    const names = bare.match(/[a-z][a-z0-9_]*/g) ?? [];
    return names.filter((name) => this.#names.has(name) || /^[tns][0-9]+$/.test(name));
  }

  #select(
    columns: readonly string[],
    source: string,
    start: number,
    end: number,
    needed: readonly ReadonlySet<string>[],
  ): string {
    let from = source;
    const stages = this.#layers.slice(start, end).map((layer, index) => {
      const kept = ['"row"', ...(needed[start + index] ?? [])];
      const added = layer.map((column) => `    ${column.sql} AS ${column.name}`).join(',\n');
      const name = `stage_${start + index + 1}`;
      const stage = `${name} AS NOT MATERIALIZED (\n  SELECT ${kept.join(', ')},\n${added}\n  FROM ${from})`;
      from = name;
      return stage;
    });
    const written = stages.length > 0 ? `WITH ${stages.join(',\n')}\n` : '';
    return `${written}SELECT\n  ${columns.join(',\n  ')}\nFROM ${from}`;
  }
}

/** Stages planned in one statement. */
const DEEPEST_STATEMENT = 40;
