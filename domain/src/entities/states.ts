import { iso31662 } from 'iso-3166';

/** The states, provinces and territories of the countries whose addresses name them by a code. */
export const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    AL: 'Alabama',
    AK: 'Alaska',
    AZ: 'Arizona',
    AR: 'Arkansas',
    CA: 'California',
    CO: 'Colorado',
    CT: 'Connecticut',
    DE: 'Delaware',
    DC: 'District of Columbia',
    FL: 'Florida',
    GA: 'Georgia',
    HI: 'Hawaii',
    ID: 'Idaho',
    IL: 'Illinois',
    IN: 'Indiana',
    IA: 'Iowa',
    KS: 'Kansas',
    KY: 'Kentucky',
    LA: 'Louisiana',
    ME: 'Maine',
    MD: 'Maryland',
    MA: 'Massachusetts',
    MI: 'Michigan',
    MN: 'Minnesota',
    MS: 'Mississippi',
    MO: 'Missouri',
    MT: 'Montana',
    NE: 'Nebraska',
    NV: 'Nevada',
    NH: 'New Hampshire',
    NJ: 'New Jersey',
    NM: 'New Mexico',
    NY: 'New York',
    NC: 'North Carolina',
    ND: 'North Dakota',
    OH: 'Ohio',
    OK: 'Oklahoma',
    OR: 'Oregon',
    PA: 'Pennsylvania',
    RI: 'Rhode Island',
    SC: 'South Carolina',
    SD: 'South Dakota',
    TN: 'Tennessee',
    TX: 'Texas',
    UT: 'Utah',
    VT: 'Vermont',
    VA: 'Virginia',
    WA: 'Washington',
    WV: 'West Virginia',
    WI: 'Wisconsin',
    WY: 'Wyoming',
    PR: 'Puerto Rico',
    VI: 'Virgin Islands',
    GU: 'Guam',
    AS: 'American Samoa',
    MP: 'Northern Mariana Islands',
  },
  CA: {
    AB: 'Alberta',
    BC: 'British Columbia',
    MB: 'Manitoba',
    NB: 'New Brunswick',
    NL: 'Newfoundland and Labrador',
    NS: 'Nova Scotia',
    NT: 'Northwest Territories',
    NU: 'Nunavut',
    ON: 'Ontario',
    PE: 'Prince Edward Island',
    QC: 'Quebec',
    SK: 'Saskatchewan',
    YT: 'Yukon',
  },
  AU: {
    ACT: 'Australian Capital Territory',
    NSW: 'New South Wales',
    NT: 'Northern Territory',
    QLD: 'Queensland',
    SA: 'South Australia',
    TAS: 'Tasmania',
    VIC: 'Victoria',
    WA: 'Western Australia',
  },
};

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
