import currencyCodes from 'currency-codes';
import nativeSymbolOf from 'currency-symbol-map';
import { minorUnitDigits } from './minor-units.ts';

/** Codes of ISO 4217 that are not a currency: "for testing" and "no currency". */
const NOT_CURRENCIES = new Set(['XTS', 'XXX']);

export interface Currency {
  readonly code: string;
  /** As ISO 4217 names it. */
  readonly name: string;
  /** As written in English text: $ is the US dollar, CA$ the Canadian. The code if there is none. */
  readonly symbol: string;
  /** As written where it is used: $ for both. The code if there is none. */
  readonly nativeSymbol: string;
  /** Decimal places of the currency's minor unit. */
  readonly decimals: number;
  /** Minor units in one major unit: 100 cents to the dollar, 1 to the yen. */
  readonly minorUnits: number;
}

const symbolOf = (code: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: code })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? code;

export const CURRENCIES: readonly Currency[] = currencyCodes.data
  .filter(({ code }) => !NOT_CURRENCIES.has(code))
  .map(({ code, currency: name }) => {
    const decimals = minorUnitDigits(code);
    return {
      code,
      name,
      // Computed when read: creating a formatter for each currency takes time, and few programs read symbols.
      get symbol() {
        return symbolOf(code);
      },
      nativeSymbol: nativeSymbolOf(code) ?? code,
      decimals,
      minorUnits: 10 ** decimals,
    };
  });

const BY_CODE = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

export const findCurrency = (code: string): Currency | undefined => BY_CODE.get(code);
