import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Cell } from './held.ts';
import type { InterpretedRow } from './interpreter.ts';
import { comparable, day, FACTS, number, runCompiled, runInterpreted } from './mapped-rows.ts';

/** A DuckDB for one test file. The connection is open from the first test to the last. */
export function useDuckDb(): () => DuckDBConnection {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });
  return () => connection;
}

/** A cell and its expected result: the lake columns in order, or the reason of the error. */
export type Case = readonly [Cell, ...(string | number | boolean | null)[]] | readonly [Cell, { reason: string }];

/** Runs cells through steps and expects the same results from the compiled SQL and the plain interpreter. */
export async function expectCases(
  connection: DuckDBConnection,
  targetCol: string,
  steps: SerializationInput[],
  cases: readonly Case[],
  epoch: 1900 | 1904 = 1900,
): Promise<void> {
  const rules: RuleInput[] = [{ originCol: 'x', targetCol, serializations: steps }];
  const rows = cases.map(([cell]) => ({ x: cell, 'other col': number(4), 'other date': day(43311) }));
  const compiled = await expectAgreement(connection, rules, rows, epoch);
  for (const [index, [cell, ...expected]] of cases.entries()) {
    const result = compiled[index]!;
    const [first] = expected;
    if (typeof first === 'object' && first !== null) {
      expect({ cell, reasons: result.errors.map((error) => error.reason) }).toEqual({ cell, reasons: [first.reason] });
    } else {
      const { assetId: _, ...columns } = result.asset ?? {};
      expect({ cell, values: Object.values(columns), errors: result.errors }).toEqual({
        cell,
        values: expected,
        errors: [],
      });
    }
  }
}

/** Maps the rows with the compiled SQL and expects the plain interpreter to give the same result. */
export async function expectAgreement(
  connection: DuckDBConnection,
  rules: RuleInput[],
  rows: readonly Readonly<Record<string, Cell>>[],
  epoch: 1900 | 1904 = 1900,
): Promise<InterpretedRow[]> {
  const facts = { ...FACTS, epoch };
  const compiled = await runCompiled(connection, rules, rows, facts);
  expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows, facts)));
  return compiled;
}
