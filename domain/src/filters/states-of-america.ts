import type { Field } from './catalog.ts';

/** The states of the United States, the District of Columbia and Puerto Rico, with their postal codes. */
export const STATE_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  'Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,District of Columbia DC,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Puerto Rico PR,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY'
    .split(',')
    .map((entry) => [entry.slice(0, -3), entry.slice(-2)]),
);

const CODES = new Set(Object.values(STATE_CODES));

export const isStateField = ({ path, type }: Field): boolean => type === 'text' && /(^|\.)state$/.test(path);

export const isStateCode = (text: string): boolean => CODES.has(text);
