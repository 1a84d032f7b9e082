import type { DuckDBValue } from '@duckdb/node-api';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { type DecimalText, decimalOf, fromScaled } from '@tapeline/domain/money/decimal.ts';
import type { PaydownCell, PaydownOutcome } from '@tapeline/domain/pools/paydown.ts';
import type { TapeFiles } from './asset-relation.ts';
import { type Lake, quoteText, readParquet } from './lake.ts';
import type { TapePair } from './movements.ts';
import { currencyOf, cutOffOf, fateColumns, holdsColumn, tapeColumn } from './tape-columns.ts';

/** The column of the principal that is followed: the principal if the tape has it, else everything outstanding. */
function principalPath(source: TapeFiles): string {
  return holdsColumn(source, 'sums.outstandingPrincipal') ? 'sums.outstandingPrincipal' : 'sums.outstandingSum';
}

/** SQL of a currency's minor unit in ten-thousandths; most currencies have two decimal places. */
const MINOR_UNIT = `CASE ${CURRENCIES.filter(({ decimals }) => decimals !== 2)
  .map(({ code, decimals }) => `WHEN currency = ${quoteText(code)} THEN ${10 ** (4 - Math.min(4, decimals))}`)
  .join(' ')} ELSE 100 END::HUGEINT`;

const units = (decimal: string): string => `CAST(CAST(${decimal} AS DECIMAL(38,4)) * 10000 AS HUGEINT)`;

/** Scale from a yearly rate in points with eight decimal places to a monthly rate. */
const YEARLY_POINTS = '120000000000::HUGEINT';

/**
 * Pays instalments off `owed` (ten-thousandths): each pays the month's interest, rounded half up to the minor unit, and
 * the rest reduces the balance. One nested query a month: as a single expression the size would double each time.
 */
function payInstalments(from: string, instalments: number): string {
  let stage = `SELECT *, balance AS owed FROM ${from}`;
  for (let month = 0; month < instalments; month += 1) {
    const interest = `(2 * owed * rate + ${YEARLY_POINTS} * unit) // (2 * ${YEARLY_POINTS} * unit) * unit`;
    stage = `SELECT * REPLACE (owed - least(owed, greatest(0, payment - ${interest})) AS owed) FROM (${stage})`;
  }
  return stage;
}

const fromUnits = (sum: DuckDBValue | undefined): DecimalText => decimalOf(fromScaled(BigInt(String(sum ?? 0)), 4));

/**
 * What the loans of the earlier tape paid by the later one, by outcome and currency, as `paydownCells` beside the
 * domain's tests finds it. Null if either tape has no ids or no balances.
 * @param months between the two tapes, 1 to 12
 */
export async function paydown(lake: Lake, pair: TapePair, months: number): Promise<PaydownCell[] | null> {
  const { before, after } = pair;
  const canTell = [before, after].every(
    (source) => holdsColumn(source, 'assetId') && holdsColumn(source, principalPath(source)),
  );
  if (!canTell) return null;
  const fate = { before: fateColumns(before).fate, after: fateColumns(after).fate };
  const principal = { before: principalPath(before), after: principalPath(after) };
  const column = (name: string) => tapeColumn(before, name);
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `WITH opening AS (
         SELECT "assetId", ${column(principal.before)} AS principal, ${currencyOf(before, principal.before)} AS currency,
           ${column('sums.scheduledPayment')} AS named, ${currencyOf(before, 'sums.scheduledPayment')} AS named_currency,
           ${column('interestRate')} AS points, ${column('remainingTerm.days')} AS remaining_days,
           ${column('daysPastDue')} AS days, ${column('dates.nextPaymentDate')} AS next_payment
         FROM ${readParquet(before.paths)}
         WHERE "assetId" IS NOT NULL AND ${column(principal.before)} > 0 AND ${fate.before} IS NULL),
       closing AS (
         SELECT "assetId", arg_max({'principal': ${tapeColumn(after, principal.after)},
           'currency': ${currencyOf(after, principal.after)}, 'fate': ${fate.after}}, "row") AS latest
         FROM ${readParquet(after.paths)} WHERE "assetId" IS NOT NULL GROUP BY 1),
       terms AS (
         SELECT o.*, ${MINOR_UNIT} AS unit, ${units('principal')} AS balance, CAST(points * 100000000 AS HUGEINT) AS rate,
           CASE WHEN latest IS NULL THEN 'vanished' ELSE coalesce(latest.fate, 'open') END AS outcome,
           CASE WHEN latest.currency = o.currency THEN latest.principal END AS closing,
           floor(remaining_days / 30.4375 + 0.5) AS remaining_months, CAST(points AS DOUBLE) / 1200 AS monthly
         FROM opening o LEFT JOIN closing USING ("assetId")),
       instalments AS (
         SELECT *, CASE WHEN points IS NULL THEN NULL
             WHEN named_currency = currency THEN ${units('named')}
             WHEN remaining_months < 1 OR remaining_months IS NULL THEN NULL
             ELSE CAST(ceil((CASE WHEN monthly = 0 THEN CAST(principal AS DOUBLE) / remaining_months
               ELSE CAST(principal AS DOUBLE) * monthly / (1 - pow(1 + monthly, -remaining_months)) END)
               * 10000 / unit) AS HUGEINT) * unit END AS payment
         FROM terms),
       due AS (
         SELECT *, CASE WHEN payment IS NULL THEN NULL WHEN next_payment > ${cutOffOf(after)} THEN 0
           ELSE balance - owed END AS due
         FROM (${payInstalments('instalments', months)}))
       SELECT outcome, currency, count(*), sum(balance),
         sum(CASE outcome WHEN 'default' THEN 0 WHEN 'repaid' THEN balance ELSE coalesce(due, 0) END),
         sum(CASE WHEN outcome = 'prepaid' THEN balance - coalesce(due, 0)
           WHEN outcome = 'open' AND days < 1 AND NOT isnan(days) AND due IS NOT NULL AND closing IS NOT NULL
             THEN greatest(0, balance - ${units('closing')} - due) ELSE 0 END),
         count(*) FILTER (WHERE due IS NULL AND outcome NOT IN ('default', 'repaid'))
       FROM due GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    return read.getRows().map(([outcome, currency, count, opening, scheduled, prepaid, withoutSchedule]) => ({
      outcome: String(outcome) as PaydownOutcome,
      currency: String(currency),
      count: Number(count),
      opening: fromUnits(opening),
      scheduled: fromUnits(scheduled),
      prepaid: fromUnits(prepaid),
      withoutSchedule: Number(withoutSchedule),
    }));
  });
}
