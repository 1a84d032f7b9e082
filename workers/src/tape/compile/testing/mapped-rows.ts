import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '@tapeline/db/lake/lake.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import { type Rule, type RuleInput, rulesSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { compileMapping } from '../compile.ts';
import { mapBatch } from '../run.ts';
import type { Cell, InterpreterFacts } from './held.ts';
import { type InterpretedRow, interpretRow } from './interpreter.ts';

export const FACTS: InterpreterFacts = { epoch: 1900, cutOffDate: '2018-06-30', primaryCurrency: 'USD' };
/** The header that carries the asset id in tests; every mapping needs one. */
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

/** The rules with the asset id's in front, as the schema gives them. */
export const mappingOf = (rules: readonly RuleInput[]): { rules: Rule[] } => ({
  rules: rulesSchema.parse([ID_RULE, ...rules]),
});

/** Stages rows of cells by header as the sheet reader does. The id is made up; sheet rows count from 2. */
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

/** What the compiled SQL makes of the rows, in the interpreter's form. Reasons come without the value or name in front. */
export async function runCompiled(
  connection: DuckDBConnection,
  rules: readonly RuleInput[],
  rows: readonly Readonly<Record<string, Cell>>[],
  facts: InterpreterFacts = FACTS,
): Promise<InterpretedRow[]> {
  const mapping = mappingOf(rules);
  const headers = [...planMapping(mapping).headers];
  await stageRows(connection, 'staged_rows', headers, rows);
  const compiled = compileMapping(mapping, { headers, epoch: facts.epoch }, facts);
  const mapped = await mapBatch(connection, compiled, 'staged_rows');
  const results = new Map<number, InterpretedRow>();
  const labels = new Map(compiled.rules.map((each) => [each.rule, each.originCol ?? each.target.label]));
  for (const asset of (await connection.runAndReadAll(mapped.assetsSql)).getRowObjectsJson()) {
    const { row, ...columns } = asset;
    results.set(Number(row), { asset: columns as InterpretedRow['asset'], errors: [] });
  }
  for (const errored of (await connection.runAndReadAll(mapped.erroredSql)).getRowObjectsJson()) {
    const errors = errored.errors as unknown as { rule: number; value: string | null; reason: string }[];
    results.set(Number(errored.row), {
      asset: null,
      errors: errors.map(({ rule, value, reason }) => ({
        rule,
        reason: withoutSubject(reason, value === null ? labels.get(rule) : `"${value}"`),
      })),
    });
  }
  return rows.map((_, index) => results.get(index + 2)!);
}

const withoutSubject = (reason: string, subject: string | undefined): string =>
  subject !== undefined && reason.startsWith(`${subject} `) ? reason.slice(subject.length + 1) : reason;

export function runInterpreted(
  rules: readonly RuleInput[],
  rows: readonly Readonly<Record<string, Cell>>[],
  facts: InterpreterFacts = FACTS,
): InterpretedRow[] {
  const plan = planMapping(mappingOf(rules));
  return rows.map((row, index) => interpretRow(plan, { ...row, [ID_HEADER]: words(`L${index}`) }, facts));
}

/** Rows in one form for comparison, without negative zeros. */
export function comparable(rows: readonly InterpretedRow[]): unknown {
  return rows.map(({ asset, errors }) => ({
    asset: asset && Object.fromEntries(Object.entries(asset).map(([key, value]) => [key, value === 0 ? 0 : value])),
    errors: errors.map(({ rule, reason }) => `${rule} ${reason}`),
  }));
}
