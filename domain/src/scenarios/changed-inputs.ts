import { decimalToFraction, fraction, fractionToDecimal, multiplyFractions } from '../borrowing-base/exact.ts';
import type { TapeTerms } from '../borrowing-base/publish.ts';
import { type Issue, isRefusal } from '../errors/refusal.ts';
import type { TransactionContract } from '../facilities/contract.schema.ts';
import type { FieldCatalog } from '../filters/catalog.ts';
import { fieldsOf } from '../filters/filter.ts';
import type { FilterInput } from '../filters/filter-input.schema.ts';
import { parseFilter } from '../filters/parse.ts';
import { add, decimalOf } from '../money/decimal.ts';
import { CROSS_RATE_DIGITS, type ExchangeRates } from '../money/rates.ts';
import type { ChangeOf, ScenarioChange } from './scenario.schema.ts';

export const DAYS_PAST_DUE_PATH = 'daysPastDue';

/** What the changes of a scenario refer to. */
export interface ChangedCertificate {
  /** Of the certificate, or the one that the first change names. */
  readonly contract: TransactionContract;
  readonly catalog: FieldCatalog;
  readonly tape: TapeTerms;
  /** The columns of the tape. */
  readonly columns: ReadonlySet<string>;
}

/** Every reason that the changes cannot be applied, by its path within them. */
export const changeIssues = (changes: readonly ScenarioChange[], certificate: ChangedCertificate): Issue[] =>
  changes.flatMap((change, index) => {
    const problem = problemOf(change, certificate);
    return problem ? [{ path: ['changes', index, problem[0]], message: problem[1] }] : [];
  });

/** The field of a change that does not fit the certificate, and why. */
function problemOf(
  change: ScenarioChange,
  { contract, catalog, tape, columns }: ChangedCertificate,
): readonly [field: string, message: string] | null {
  switch (change.kind) {
    case 'contract':
      return null;
    case 'rate':
      return change.rule === -1 || contract.advanceRate.cases[change.rule]
        ? null
        : ['rule', 'is not an advance rate of the contract'];
    case 'limit':
      return contract.concentrationRules[change.rule] ? null : ['rule', 'is not a concentration limit of the contract'];
    case 'ruleOff':
      return contract[change.list][change.rule] ? null : ['rule', 'is not a rule of the contract'];
    case 'haircut': {
      const message = filterProblem(change.filter, catalog, columns);
      return message === null ? null : ['filter', message];
    }
    case 'largestDefault': {
      const found = catalog.resolve(change.field);
      if (!('field' in found) || found.field.type !== 'text') return ['field', 'is not a text of the assets'];
      return columns.has(found.field.path) ? null : ['field', 'is not on the tape'];
    }
    case 'rollRates':
      return columns.has(DAYS_PAST_DUE_PATH) ? null : ['months', 'The tape has no days past due'];
    case 'currency':
      if (change.currency === tape.mainCurrency) {
        return ['currency', 'is the currency of the certificate. Choose another one'];
      }
      return change.currency === 'USD' || tape.exchangeRates[change.currency] !== undefined
        ? null
        : ['currency', 'has no exchange rate on the tape'];
  }
}

function filterProblem(input: FilterInput, catalog: FieldCatalog, columns: ReadonlySet<string>): string | null {
  try {
    const missing = fieldsOf(parseFilter(input, catalog)).find(({ path }) => path !== 'row' && !columns.has(path));
    return missing ? `names ${missing.label}, which is not on the tape` : null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.message;
  }
}

/** A list with one of its elements replaced. */
const replaced = <Item>(list: readonly Item[], at: number, change: (item: Item) => Item): Item[] =>
  list.map((item, index) => (index === at ? change(item) : item));

/** The contract with the rates, limits and rules that a scenario changes. Rules keep their positions. */
export const changedContract = (
  contract: TransactionContract,
  changes: readonly ScenarioChange[],
): TransactionContract => changes.reduce(withChange, contract);

function withChange(contract: TransactionContract, change: ScenarioChange): TransactionContract {
  switch (change.kind) {
    case 'rate': {
      const { advanceRate } = contract;
      const { ratePercent: rate, rule } = change;
      if (rule === -1) return { ...contract, advanceRate: { ...advanceRate, defaultRate: rate } };
      const cases = replaced(advanceRate.cases, rule, (one) => ({ ...one, rate }));
      return { ...contract, advanceRate: { ...advanceRate, cases } };
    }
    case 'limit': {
      const concentrationRules = replaced(contract.concentrationRules, change.rule, (one) => ({
        ...one,
        equator: { ...one.equator, value: change.value },
      }));
      return { ...contract, concentrationRules };
    }
    case 'ruleOff': {
      const rules: readonly { enabled: boolean }[] = contract[change.list];
      return { ...contract, [change.list]: replaced(rules, change.rule, (one) => ({ ...one, enabled: false })) };
    }
    default:
      return contract;
  }
}

/** Obligors that default, by the values of the field that names them. */
export interface DefaultedObligors {
  readonly field: string;
  readonly title: string;
  readonly keys: readonly string[];
}

/** The contract with a last eligibility rule for each group of obligors, which their assets fail. */
export const withDefaults = (
  contract: TransactionContract,
  defaults: readonly DefaultedObligors[],
): TransactionContract => ({
  ...contract,
  eligibilityRules: [
    ...contract.eligibilityRules,
    ...defaults
      .filter(({ keys }) => keys.length > 0)
      .map(({ title, field, keys }) => ({
        title,
        // An asset without an obligor is none of theirs.
        filter: { $or: [{ [field]: { exists: false } }, { [field]: { nin: [...keys] } }] },
        exceptions: [],
        enabled: true,
      })),
  ],
});

/** What a percentage of -10 multiplies by: 90%. */
const factorOf = (percent: number) =>
  multiplyFractions(decimalToFraction(add(decimalOf(percent), '100')), fraction(1n, 100n));

/**
 * The exchange rates with those of a scenario. They are units for one US dollar: a weaker currency has more of them, and a
 * weaker dollar buys less of every other currency. Rounded to 12 decimals.
 */
export function changedRates(rates: ExchangeRates, changes: readonly ScenarioChange[]): ExchangeRates {
  const ofCurrencies = changes.filter((change): change is ChangeOf<'currency'> => change.kind === 'currency');
  return ofCurrencies.reduce<ExchangeRates>((changed, { currency, percent }) => {
    const factor = factorOf(percent);
    const inverse = fraction(factor.denominator, factor.numerator);
    return Object.fromEntries(
      Object.entries(changed).map(([code, rate]) => {
        if (code === 'USD' || (currency !== 'USD' && code !== currency)) return [code, rate];
        const by = currency === 'USD' ? factor : inverse;
        return [code, fractionToDecimal(multiplyFractions(decimalToFraction(rate), by), CROSS_RATE_DIGITS)];
      }),
    );
  }, rates);
}
