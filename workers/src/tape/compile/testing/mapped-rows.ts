import { deepStrictEqual } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { type MappingRule, type RuleInput, rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { pickRows } from '@tapeline/sheets/batch-file.ts';
import { describeBatch } from '../../batch-facts.ts';
import type { MappingEngine } from '../../mapping-engine.ts';
import { MappingEngines } from '../../mapping-engines.ts';
import { type CompiledMapping, compileMapping } from '../compile.ts';
import { mapBatch } from '../run.ts';
import type { Cell, InterpreterFacts } from './held.ts';
import { type InterpretedRow, interpretRow } from './interpreter.ts';
import { rawRows } from './raw-rows.ts';

export const FACTS: InterpreterFacts = { epoch: 1900, cutOffDate: '2018-06-30', primaryCurrency: 'USD' };
/** The header of the asset id column in tests. Every mapping needs one. */
export const ID_HEADER = 'loan id';
const ID_RULE: RuleInput = {
  originCol: ID_HEADER,
  targetCol: 'assetId',
  checks: ['Mandatory'],
  serializations: [{ type: 'text' }],
};

export const blank: Cell = { tag: 'blank' };
export const number = (value: number): Cell => ({ tag: 'number', number: value });
export const words = (value: string): Cell => ({ tag: 'text', text: value });
export const truth = (value: boolean): Cell => ({ tag: 'boolean', boolean: value });
export const day = (serial: number): Cell => ({ tag: 'date', serial });
export const sheetError = (text: string): Cell => ({ tag: 'error', text });

/** The rules, preceded by the asset id's rule, as parsed by the schema. */
export const mappingOf = (rules: readonly RuleInput[]): { rules: MappingRule[] } => ({
  rules: rulesSchema.parse([ID_RULE, ...rules]),
});

/** Stages rows of cells (keyed by header) like the sheet reader does. The id is generated. Sheet rows count from 2. */
export async function stageRows(
  connection: DuckDBConnection,
  table: string,
  headers: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
): Promise<void> {
  const columns = headers.map((_, index) => `t${index} UTINYINT, n${index} DOUBLE, s${index} VARCHAR`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} ("row" INTEGER, ${columns.join(', ')})`);
  const written = rows.map((row, index) => {
    const cells = headers.map((header) => staged(header === ID_HEADER ? words(`L${index}`) : (row[header] ?? blank)));
    return `(${index + 2}, ${cells.join(', ')})`;
  });
  if (written.length > 0) await connection.run(`INSERT INTO ${table} VALUES ${written.join(', ')}`);
}

function staged(cell: Cell): string {
  const double = (value: number) => `CAST('${value}' AS DOUBLE)`;
  switch (cell.tag) {
    case 'blank':
      return '0, NULL, NULL';
    case 'number':
      return `1, ${double(cell.number)}, NULL`;
    case 'text':
      return `2, NULL, ${quoteText(cell.text)}`;
    case 'boolean':
      return `3, ${cell.boolean ? 1 : 0}, NULL`;
    case 'date':
      return `4, ${double(cell.serial)}, NULL`;
    case 'error':
      return `5, NULL, ${quoteText(cell.text)}`;
  }
}

/**
 * The compiled SQL's result for the rows, in the interpreter's format. Rows are mapped like tapes, using the facts
 * about their columns. For half of all inputs, the general SQL for any cells is run too and must give the same result.
 * Reasons do not include the leading value or name.
 */
export async function runCompiled(
  connection: DuckDBConnection,
  rules: readonly RuleInput[],
  rows: readonly Readonly<Record<string, Cell>>[],
  facts: InterpreterFacts = FACTS,
): Promise<InterpretedRow[]> {
  const mapping = mappingOf(rules);
  const headers = [...planMapping(mapping).headers];
  const compiled = compileMapping(mapping, { headers, epoch: facts.epoch }, facts);
  const turn = turnOf(rules, rows);
  engines ??= new MappingEngines(join(tmpdir(), 'mapped-rows'));
  return engines.use(async (engine) => {
    // Code only repeated texts, all texts, or none.
    const mostDistinct = [undefined, rows.length, 0][turn % 3];
    const known = await mapByFacts({ engine, connection }, compiled, rows, mostDistinct);
    if (turn % 2 === 0) {
      await stageRows(connection, 'staged_rows', headers, rows);
      const general = await mapBatch(connection, compiled, 'staged_rows');
      const anyCells = await readMapped(connection, compiled, rows.length, general);
      deepStrictEqual(comparable(known), comparable(anyCells));
    }
    return known;
  });
}

let engines: MappingEngines | undefined;

/** Picks the mapping strategy. The same rows and rules always get the same one. */
function turnOf(...what: readonly unknown[]): number {
  let hash = 0;
  for (const letter of JSON.stringify(what)) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return hash;
}

/**
 * Maps the rows with an engine, using the facts about their columns.
 * @param mostDistinct see `describeBatch`
 */
export async function mapByFacts(
  { engine, connection }: { readonly engine: MappingEngine; readonly connection: DuckDBConnection },
  compiled: CompiledMapping,
  rows: readonly Readonly<Record<string, Cell>>[],
  mostDistinct?: number,
): Promise<InterpretedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mapped-'));
  try {
    const files = { assets: join(folder, 'assets'), errored: join(folder, 'errored') };
    const batch = rawRows(compiled.sheet.headers, withIds(rows));
    const described = describeBatch(batch, compiled.usedColumns, mostDistinct);
    const errored = await engine.writeAssets(compiled, batch, files.assets, described);
    const invalid = pickRows(batch, Int32Array.from(errored));
    await engine.writeErrored(compiled, invalid, files.errored, described.facts);
    return await readMapped(connection, compiled, rows.length, {
      assetsSql: `FROM ${readParquet([files.assets])}`,
      erroredSql: `FROM ${readParquet([files.errored])}`,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows with generated ids. */
export const withIds = (rows: readonly Readonly<Record<string, Cell>>[]): Record<string, Cell>[] =>
  rows.map((row, index) => ({ ...row, [ID_HEADER]: words(`L${index}`) }));

async function readMapped(
  connection: DuckDBConnection,
  compiled: CompiledMapping,
  rowCount: number,
  { assetsSql, erroredSql }: { readonly assetsSql: string; readonly erroredSql: string },
): Promise<InterpretedRow[]> {
  const results = new Map<number, InterpretedRow>();
  const labels = new Map(compiled.rules.map((each) => [each.rule, each.originCol ?? each.target.label]));
  for (const asset of (await connection.runAndReadAll(assetsSql)).getRowObjectsJson()) {
    const { row, ...columns } = asset;
    results.set(Number(row), { asset: columns as InterpretedRow['asset'], errors: [] });
  }
  for (const errored of (await connection.runAndReadAll(erroredSql)).getRowObjectsJson()) {
    const errors = errored.errors as unknown as { rule: number; value: string | null; reason: string }[];
    results.set(Number(errored.row), {
      asset: null,
      errors: errors.map(({ rule, value, reason }) => ({
        rule,
        reason: withoutSubject(reason, value === null ? labels.get(rule) : `"${value}"`),
      })),
    });
  }
  return Array.from({ length: rowCount }, (_, index) => results.get(index + 2)!);
}

const withoutSubject = (reason: string, subject: string | undefined): string =>
  subject !== undefined && reason.startsWith(`${subject} `) ? reason.slice(subject.length + 1) : reason;

export function runInterpreted(
  rules: readonly RuleInput[],
  rows: readonly Readonly<Record<string, Cell>>[],
  facts: InterpreterFacts = FACTS,
): InterpretedRow[] {
  const plan = planMapping(mappingOf(rules));
  return withIds(rows).map((row, index) => interpretRow(plan, row, facts, index + 2));
}

/** Normalizes rows for comparison, without negative zeros. */
export function comparable(rows: readonly InterpretedRow[]): unknown {
  return rows.map(({ asset, errors }) => ({
    asset: asset && Object.fromEntries(Object.entries(asset).map(([key, value]) => [key, value === 0 ? 0 : value])),
    errors: errors.map(({ rule, reason }) => `${rule} ${reason}`),
  }));
}
