import names from 'countries-list/minimal/countries.en.min.json' with { type: 'json' };

export interface Country {
  /** Two letters, ISO 3166-1. */
  readonly code: string;
  readonly name: string;
}

/** Every country, by name. */
export const COUNTRIES: readonly Country[] = Object.entries(names)
  .map(([code, name]) => ({ code, name }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const NAMES = new Map(COUNTRIES.map(({ code, name }) => [code, name]));

/** The name of a country for its code. Any other text, such as a name, is returned as it is. */
export const countryName = (codeOrName: string): string => NAMES.get(codeOrName.toUpperCase()) ?? codeOrName;
