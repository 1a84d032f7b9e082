import { availableBaseOf, type BorrowingBaseResult } from '../borrowing-base/result.ts';
import { DEFAULT_VALUES, VALUE_POOL_LABELS, VALUE_POOLS } from '../facilities/pools.ts';
import type { Amount } from '../money/amount.schema.ts';
import { POOL_FIGURE_LABELS, POOL_FIGURE_NAMES, POOL_FIGURES, type PoolFigureValues } from '../pools/pool-figures.ts';
import type { FormulaFigure } from './covenant-formula.ts';

/** What formulas call the totals of a certificate, besides the values of its contract and its pools. */
const TOTALS: Readonly<Record<string, (result: Pick<BorrowingBaseResult, 'totals'>) => Amount | null>> = {
  'First borrowing base': ({ totals }) => totals.firstBB,
  'Excess concentration': ({ totals }) => totals.excess,
  'Net borrowing base': ({ totals }) => totals.netBB,
  'Available base': ({ totals }) => availableBaseOf(totals),
  Balance: ({ totals }) => totals.balance,
  Commitments: ({ totals }) => totals.commitments,
  Availability: ({ totals }) => totals.availability,
};

/** The figures of a pool: "Relevant pool", "Eligible pool". */
const POOLS = VALUE_POOLS.map((pool) => ({ pool, name: `${VALUE_POOL_LABELS[pool]} pool` }));
const ASSETS = 'Number of assets';

/** The figures that every certificate has, with the values that contracts have by themselves. */
export const CERTIFICATE_FIGURE_NAMES: readonly string[] = [
  ...POOLS.map(({ name }) => name),
  ...Object.keys(TOTALS),
  ASSETS,
  ...POOL_FIGURE_NAMES,
  ...DEFAULT_VALUES,
];

const ofAmount = (amount: Amount | null): FormulaFigure | null =>
  amount && { value: amount.sum, currency: amount.currency };

/** What formulas read of a certificate. */
export interface CertificateFigures extends Pick<BorrowingBaseResult, 'totals'> {
  /** Of its tape; null if they were not measured. */
  readonly poolFigures: PoolFigureValues | null;
}

/** A figure of a certificate by its name: a value of the contract first. Null if the certificate has none, or it is unknown. */
export function certificateFigure(result: CertificateFigures, name: string): FormulaFigure | null {
  const value = result.totals.values.find(({ title }) => title === name);
  if (value) return value.value === null ? null : { value: value.value, currency: value.currency };
  const pool = POOLS.find((one) => one.name === name);
  if (pool) return ofAmount(result.totals.pools[pool.pool].amount);
  if (name === ASSETS) return { value: String(result.totals.assets), currency: null };
  const ofTape = POOL_FIGURES.find((figure) => POOL_FIGURE_LABELS[figure] === name);
  if (ofTape) {
    const value = result.poolFigures?.[ofTape] ?? null;
    return value === null ? null : { value, currency: null };
  }
  return Object.hasOwn(TOTALS, name) ? ofAmount(TOTALS[name]?.(result) ?? null) : null;
}
