import type { StateChoice } from '@tapeline/domain/entities/country-states.ts';
import { statesOf } from '@tapeline/domain/entities/country-states.ts';
import { useEffect, useState } from 'react';

type StatesOf = (country: string) => readonly StateChoice[];

/** The states of all countries. The browser loads them, which are more than the rest of a page, for a country that is chosen. */
let lookUp: StatesOf | null = import.meta.env.SSR ? statesOf : null;

/** Marks the states that the server has written into a page, by their country. */
export const WRITTEN_STATES = 'data-states-of';

const written = new Map<string, readonly StateChoice[]>();

/** What the server has written of a country, so that what the browser draws first is the same. */
function readWritten(country: string): readonly StateChoice[] | null {
  const element = document.querySelector(`[${WRITTEN_STATES}="${CSS.escape(country)}"]`);
  if (!element?.textContent) return null;
  const states = JSON.parse(element.textContent) as readonly StateChoice[];
  written.set(country, states);
  return states;
}

/** The states of a country to choose from; null until they are loaded. */
export function useStates(country: string): readonly StateChoice[] | null {
  const [, setLoaded] = useState(false);
  const states = country === '' ? [] : (lookUp?.(country) ?? written.get(country) ?? readWritten(country));
  const isMissing = states === null;
  useEffect(() => {
    if (!isMissing) return;
    let isShown = true;
    import('@tapeline/domain/entities/country-states.ts').then((loaded) => {
      lookUp = loaded.statesOf;
      if (isShown) setLoaded(true);
    });
    return () => {
      isShown = false;
    };
  }, [isMissing]);
  return states;
}

/** The states as the server writes them into the page, without what would end their element. */
export const writeStates = (states: readonly StateChoice[]): string =>
  JSON.stringify(states).replaceAll('<', '\\u003c');
