import type { DelinquencyBucket } from '@tapeline/domain/pools/delinquency.ts';
import type { PoolSum } from '@tapeline/domain/pools/pool-figures.ts';
import type { TapeFiles } from './asset-relation.ts';
import { type Lake, readParquet } from './lake.ts';
import { bucketColumn, currencyOf, fateColumns, holdsColumn, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

const BALANCE = 'sums.outstandingSum';

/** Adds up the assets of a tape by state and currency, exactly; null if it has no balances. */
export async function poolSums(lake: Lake, source: TapeFiles): Promise<PoolSum[] | null> {
  if (!holdsColumn(source, BALANCE)) return null;
  const column = (name: string) => tapeColumn(source, name);
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `WITH assets AS (
         SELECT ${bucketColumn(source)} AS bucket, coalesce(${fateColumns(source).fate} = 'default', false) AS is_default,
           ${currencyOf(source, BALANCE)} AS currency, greatest(${column(BALANCE)}, 0) AS balance,
           CAST(${column('interestRate')} AS DECIMAL(28,8)) AS rate
         FROM ${readParquet(source.paths)} WHERE ${column(BALANCE)} IS NOT NULL)
       SELECT bucket, is_default, currency, sum(balance), coalesce(sum(balance) FILTER (WHERE rate IS NOT NULL), 0),
         coalesce(sum(rate * balance), 0)
       FROM assets GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    );
    return read.getRows().map(([bucket, isDefault, currency, ...sums]) => {
      const [balance, rated, weighed] = sums.map((sum) => String(fromLake(sum)));
      return {
        bucket: String(bucket) as DelinquencyBucket,
        isDefault: isDefault === true,
        currency: String(currency),
        balance: balance!,
        rated: rated!,
        weighed: weighed!,
      };
    });
  });
}
