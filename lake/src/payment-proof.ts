import type { DuckDBConnection } from '@duckdb/node-api';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { type LoanPayments, type PaymentProof, PROVED_WITHIN } from '@tapeline/domain/pools/payment-proof.ts';
import { amountColumn, type ExportTable, textColumn } from './exports/export-table.ts';
import type { Lake } from './lake.ts';
import { joined, type PairedTapes } from './roll-forward.ts';
import { fromLake } from './values.ts';

/** A loan whose closing balance is not what the payments make of its opening balance. */
export interface UnprovedLoan {
  readonly assetId: string;
  readonly beforeRow: number;
  readonly afterRow: number | null;
  readonly currency: string;
  readonly opening: DecimalText;
  readonly advance: DecimalText;
  readonly principal: DecimalText;
  readonly writtenOff: DecimalText;
  readonly expected: DecimalText;
  readonly closing: DecimalText;
  readonly difference: DecimalText;
}

/** Wider than the balances of a tape, so that sums of balances and payments fit. */
const AMOUNT = 'DECIMAL(38,4)';

/** The payments as rows of SQL, bound as the first value. */
const PAYMENTS = `(SELECT cells[1] AS id, cells[2] AS currency, CAST(cells[3] AS ${AMOUNT}) AS principal,
    CAST(cells[4] AS ${AMOUNT}) AS advance, CAST(cells[5] AS ${AMOUNT}) AS written_off
  FROM (SELECT unnest(from_json(CAST($1 AS JSON), '[["VARCHAR"]]')) AS cells))`;

const bound = (loans: readonly LoanPayments[]): string =>
  JSON.stringify(
    loans.map(({ assetId, currency, principal, advance, writtenOff }) => [
      assetId,
      currency,
      principal,
      advance,
      writtenOff,
    ]),
  );

/** Loans of the earlier tape: matched or no longer listed, with balances in one currency. */
const IS_PROVABLE = `b."row" IS NOT NULL AND b.key IS NOT NULL AND b.balance IS NOT NULL
  AND (a."row" IS NULL OR (a.balance IS NOT NULL AND a.currency = b.currency))`;

/** Payments count for a loan if they are in its currency, or name none. */
const OF_LOAN = '(p.currency IS NULL OR p.currency = l.currency)';

/** SQL of each provable loan with what was paid; one that is no longer listed has a closing balance of 0. */
const proved = (pair: PairedTapes): string =>
  `SELECT *, opening + advance - principal - written_off AS expected,
      closing - (opening + advance - principal - written_off) AS difference
    FROM (SELECT l.id, l.row_before, l.row_after, l.currency, l.opening, l.closing, coalesce(sum(p.advance), 0) AS advance,
        coalesce(sum(p.principal), 0) AS principal, coalesce(sum(p.written_off), 0) AS written_off
      FROM (SELECT b.key AS id, b."row" AS row_before, a."row" AS row_after, b.currency, b.balance::${AMOUNT} AS opening,
          coalesce(a.balance, 0)::${AMOUNT} AS closing FROM ${joined(pair)} WHERE ${IS_PROVABLE}) l
      LEFT JOIN ${PAYMENTS} p ON p.id = l.id AND ${OF_LOAN}
      GROUP BY ALL)`;

const IS_UNPROVED = `abs(difference) > ${PROVED_WITHIN}`;

const rowsOf = async (connection: DuckDBConnection, sql: string, values: string[]) =>
  (await connection.runAndReadAll(sql, values)).getRows().map((row) => row.map((value) => fromLake(value)));

const textOf = (value: ReturnType<typeof fromLake> | undefined): string => String(value ?? '0');

/** What payments prove of the change between two tapes, by currency. */
export async function paymentProof(
  lake: Lake,
  pair: PairedTapes,
  loans: readonly LoanPayments[],
): Promise<PaymentProof> {
  return lake.connected(async (connection) => {
    const payments = bound(loans);
    const found = await rowsOf(
      connection,
      `SELECT currency, count(*), sum(opening), sum(advance), sum(principal), sum(written_off), sum(difference), sum(closing),
         count(*) FILTER (WHERE NOT ${IS_UNPROVED}), coalesce(sum(opening) FILTER (WHERE NOT ${IS_UNPROVED}), 0),
         coalesce(sum(abs(difference)) FILTER (WHERE ${IS_UNPROVED}), 0)
       FROM (${proved(pair)}) GROUP BY 1 ORDER BY 1`,
      [payments],
    );
    const others = await rowsOf(
      connection,
      `SELECT coalesce(b.currency, a.currency), count(b.balance), coalesce(sum(b.balance), 0),
         count(a.balance) FILTER (WHERE b."row" IS NULL), coalesce(sum(a.balance) FILTER (WHERE b."row" IS NULL), 0)
       FROM ${joined(pair)} WHERE NOT coalesce(${IS_PROVABLE}, false) AND coalesce(b.currency, a.currency) IS NOT NULL
       GROUP BY 1 ORDER BY 1`,
      [],
    );
    const unmatched = await rowsOf(
      connection,
      `SELECT p.currency, count(DISTINCT coalesce(p.id, '')), sum(p.principal), sum(p.advance), sum(p.written_off)
       FROM ${PAYMENTS} p WHERE NOT EXISTS (SELECT 1 FROM
         (SELECT b.key AS id, b.currency FROM ${joined(pair)} WHERE ${IS_PROVABLE}) l WHERE l.id = p.id AND ${OF_LOAN})
       GROUP BY 1 ORDER BY 1`,
      [payments],
    );
    const codes = [...new Set([...found, ...others].map(([currency]) => String(currency)))].sort();
    return {
      currencies: codes.map((currency) => {
        const [, count, opening, advance, principal, writtenOff, unexplained, closing, provedCount, ...rest] =
          found.find(([code]) => code === currency) ?? [];
        const [, notProvable, balance, added, addedBalance] = others.find(([code]) => code === currency) ?? [];
        return {
          currency,
          loans: Number(count ?? 0),
          opening: textOf(opening),
          advance: textOf(advance),
          principal: textOf(principal),
          writtenOff: textOf(writtenOff),
          unexplained: textOf(unexplained),
          closing: textOf(closing),
          proved: Number(provedCount ?? 0),
          provedBalance: textOf(rest[0]),
          differences: textOf(rest[1]),
          notProvable: { count: Number(notProvable ?? 0), balance: textOf(balance) },
          added: { count: Number(added ?? 0), balance: textOf(addedBalance) },
        };
      }),
      unmatched: unmatched.map(([currency, count, principal, advance, writtenOff]) => ({
        currency: (currency ?? null) as string | null,
        loans: Number(count),
        principal: textOf(principal),
        advance: textOf(advance),
        writtenOff: textOf(writtenOff),
      })),
    };
  });
}

/** The loans that are not proved, those with the largest difference first; `total` counts all of them. */
export async function unprovedLoans(
  lake: Lake,
  pair: PairedTapes,
  loans: readonly LoanPayments[],
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<{ loans: readonly UnprovedLoan[]; total: number }> {
  return lake.connected(async (connection) => {
    const rows = await rowsOf(
      connection,
      `WITH unproved AS (SELECT * FROM (${proved(pair)}) WHERE ${IS_UNPROVED})
       SELECT (SELECT count(*) FROM unproved), id, row_before, row_after, currency, opening, advance, principal, written_off,
         expected, closing, difference
       FROM (SELECT 1) LEFT JOIN (FROM unproved ORDER BY abs(difference) DESC, row_before
         LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(skip)}) ON true
       ORDER BY abs(difference) DESC, row_before`,
      [bound(loans)],
    );
    return {
      total: Number(rows[0]?.[0] ?? 0),
      loans: rows
        .filter(([, id]) => id !== null)
        .map(([, id, beforeRow, afterRow, currency, ...amounts]) => {
          const [opening, advance, principal, writtenOff, expected, closing, difference] = amounts.map(textOf);
          return {
            assetId: String(id),
            beforeRow: Number(beforeRow),
            afterRow: afterRow === null ? null : Number(afterRow),
            currency: String(currency),
            opening: opening ?? '0',
            advance: advance ?? '0',
            principal: principal ?? '0',
            writtenOff: writtenOff ?? '0',
            expected: expected ?? '0',
            closing: closing ?? '0',
            difference: difference ?? '0',
          };
        }),
    };
  });
}

/** Maximum loans of a file. */
export const MAX_UNPROVED_ROWS = 100_000;

/** The loans that are not proved as a table for a file: the largest differences, at most `MAX_UNPROVED_ROWS`. */
export function unprovedExport(pair: PairedTapes, loans: readonly LoanPayments[], total: number): ExportTable {
  const amount = (name: string, label: string, sql: string) => amountColumn(name, label, sql, AMOUNT);
  const rows = Math.min(total, MAX_UNPROVED_ROWS);
  return {
    columns: [
      textColumn('assetId', 'Asset id', 'id'),
      textColumn('currency', 'Currency', 'currency'),
      amount('opening', `Opening ${pair.before.cutOffDate}`, 'opening'),
      amount('advance', 'Advances', 'advance'),
      amount('principal', 'Principal', 'principal'),
      amount('writtenOff', 'Written off', 'written_off'),
      amount('expected', 'Expected closing', 'expected'),
      amount('closing', `Closing ${pair.after.cutOffDate}`, 'closing'),
      amount('difference', 'Difference', 'difference'),
    ],
    rows,
    queries:
      rows === 0
        ? []
        : [
            {
              from: `FROM (SELECT * FROM (${proved(pair)}) WHERE ${IS_UNPROVED}
                ORDER BY abs(difference) DESC, row_before LIMIT ${rows})`,
              values: [bound(loans)],
            },
          ],
  };
}
