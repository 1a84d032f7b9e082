import { reasonOfRefusal } from '../errors/refusal.ts';
import type { Equator, TransactionContract } from '../facilities/contract.schema.ts';
import type { FieldCatalog } from '../filters/catalog.ts';
import { isEverything } from '../filters/filter.ts';
import type { FilterInput } from '../filters/filter-input.schema.ts';
import { parseFilter } from '../filters/parse.ts';
import { filterToSentence } from '../filters/sentence.ts';
import { decimalOf, isNegative } from '../money/decimal.ts';
import { formatCount, formatFigure } from '../money/format-figure.ts';
import { ROLL_LABELS } from '../pools/delinquency.ts';
import { type ChangeOf, ROLLING_BUCKETS, type ScenarioChange } from './scenario.schema.ts';

const ARROW = ' → ';

export const percentInWords = (percent: number): string => `${formatFigure(decimalOf(percent))}%`;
/** The value of a concentration limit in its own unit. */
export const concentrationLimitInWords = ({ unit }: Pick<Equator, 'unit'>, value: number): string =>
  unit === 'percentage' ? percentInWords(value) : formatFigure(decimalOf(value));

/** "State is CA" of a filter; null if it names every asset. */
function conditionOf(input: FilterInput, catalog: FieldCatalog): string | null {
  try {
    const filter = parseFilter(input, catalog);
    return isEverything(filter) ? null : filterToSentence(filter);
  } catch (error) {
    return reasonOfRefusal(error);
  }
}

const labelOf = (path: string, catalog: FieldCatalog): string => {
  const found = catalog.resolve(path);
  return 'field' in found ? found.field.label : path;
};

/** "Default of the 5 largest by Borrower id". Also the title of the rule that their assets fail. */
export const defaultWords = (
  { field, count }: Pick<ChangeOf<'largestDefault'>, 'field' | 'count'>,
  catalog: FieldCatalog,
): string => `Default of the ${count === 1 ? '' : `${count} `}largest by ${labelOf(field, catalog)}`;

/**
 * A change in words: "Advance rate of Current: 85% → 80%".
 * @param contract the one whose rules the change refers to, before any change
 */
export function changeInWords(
  change: ScenarioChange,
  contract: Pick<
    TransactionContract,
    'title' | 'advanceRate' | 'eligibilityRules' | 'performanceRules' | 'concentrationRules'
  >,
  catalog: FieldCatalog,
): string {
  switch (change.kind) {
    case 'contract':
      return `Terms of ${contract.title || 'another contract'}`;
    case 'rate': {
      const { defaultRate, cases } = contract.advanceRate;
      const of = change.rule === -1 ? { title: null, rate: defaultRate } : cases[change.rule];
      const was = of === undefined ? 'unknown' : percentInWords(of.rate);
      const name = of?.title == null ? 'Default advance rate' : `Advance rate of ${of.title}`;
      return `${name}: ${was}${ARROW}${percentInWords(change.ratePercent)}`;
    }
    case 'limit': {
      const rule = contract.concentrationRules[change.rule];
      if (!rule) return `Concentration limit ${change.rule + 1}${ARROW}${formatFigure(decimalOf(change.value))}`;
      return `Limit of ${rule.title}: ${concentrationLimitInWords(rule.equator, rule.equator.value)}${ARROW}${concentrationLimitInWords(rule.equator, change.value)}`;
    }
    case 'ruleOff':
      return `Off: ${contract[change.list][change.rule]?.title ?? `rule ${change.rule + 1}`}`;
    case 'haircut': {
      const condition = conditionOf(change.filter, catalog);
      return `Balances ${percentInWords(change.percent)} lower${condition === null ? '' : ` where ${condition}`}`;
    }
    case 'largestDefault':
      return defaultWords(change, catalog);
    case 'rollRates': {
      const shares = ROLLING_BUCKETS.flatMap((bucket) => {
        const share = change.shares[bucket as keyof typeof change.shares];
        return share ? [`${percentInWords(share)} of ${ROLL_LABELS[bucket]}`] : [];
      });
      return `${formatCount(change.months, 'month')} of roll rates: ${shares.join(', ')}`;
    }
    case 'currency': {
      const percent = decimalOf(change.percent);
      return `${change.currency} ${isNegative(percent) ? '' : '+'}${formatFigure(percent)}%`;
    }
  }
}
