import { createContext, useContext } from 'react';
import type { FieldVerb } from './field-verb.ts';

/** For the forms that are shown, whether a field is entered or chosen, as their schemas say. */
export const VERB_OF = new WeakMap<object, (name: string) => FieldVerb>();

/** The message of a field, by its name and the reason of its schema. Null if only the field knows its label. */
export const Messages = createContext<(name: string, reason: string) => string | null>(() => null);

/** What a field says of its problem: the same words as the summary. */
export const useFieldMessage = () => useContext(Messages);

/** The id of the field with the first error after a round trip. */
export const FirstProblem = createContext<string | null>(null);

/** Whether this field has the first error after a round trip. It then takes the focus, also without JavaScript. */
export const useIsFirstProblem = (fieldId: string) => useContext(FirstProblem) === fieldId;
