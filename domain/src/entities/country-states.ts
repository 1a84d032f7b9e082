import { iso31662 } from 'iso-3166';

/** ISO 3166-2 lists uninhabited islands as well. */
const NO_ADDRESSES = 'US-UM';
/** As addresses name them, where ISO 3166-2 has a longer name. */
const SHORT_NAMES: Readonly<Record<string, string>> = { 'US-VI': 'Virgin Islands' };

/** The states, provinces and territories of the countries whose addresses name them by a code. */
export const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  ['US', 'CA', 'AU'].map((country) => [
    country,
    Object.fromEntries(
      iso31662
        .filter(({ parent, code }) => parent === country && code !== NO_ADDRESSES)
        .map(({ code, name }) => [code.slice(3), SHORT_NAMES[code] ?? name]),
    ),
  ]),
);

/** The first-level subdivisions of every country, by ISO 3166-2: the country's code, and its names in order. */
const SUBDIVISIONS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(iso31662, ({ parent }) => parent)]
    .filter(([parent]) => parent.length === 2)
    .map(([country, all]) => [
      country,
      [...new Set(all.map(({ name }) => name))].sort((a, b) => a.localeCompare(b, 'en')),
    ]),
);

export interface StateChoice {
  /** What is stored: the code where addresses name a state by its code, and its name elsewhere. */
  readonly value: string;
  readonly label: string;
}

/** The states, provinces or regions of a country to choose from. Empty for a country that has none. */
export const statesOf = (country: string): StateChoice[] =>
  STATES[country]
    ? Object.entries(STATES[country])
        .map(([value, label]) => ({ value, label }))
        .sort((one, other) => one.label.localeCompare(other.label, 'en'))
    : (SUBDIVISIONS.get(country) ?? []).map((name) => ({ value: name, label: name }));

/**
 * The code of a state of a country that is written as its code or its name.
 * @param country the two-letter code of the country
 * @returns the text as it is for any other, and for a country without such codes
 */
export function stateCode(country: string, written: string): string {
  const sought = written.trim().toLowerCase();
  const found = Object.entries(STATES[country] ?? {}).find(
    ([code, name]) => code.toLowerCase() === sought || name.toLowerCase() === sought,
  );
  return found?.[0] ?? written;
}
