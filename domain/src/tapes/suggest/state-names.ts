import { STATES } from '../../entities/country-states.ts';
import namesOnly from './states-without-code.json' with { type: 'json' };

/** States, provinces and territories that files name by their code, or, of other countries, by their name alone. */
const KNOWN: ReadonlySet<string> = new Set(
  [...Object.values(STATES).flatMap((states) => Object.entries(states).flat()), ...Object.values(namesOnly).flat()].map(
    (name) => name.toLowerCase(),
  ),
);

/**
 * Whether a text is a state. Regions of a country without states, such as "South East" in the United Kingdom, are not.
 */
export const isState = (text: string): boolean => KNOWN.has(text.trim().toLowerCase());
