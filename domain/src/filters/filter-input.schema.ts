import { z } from 'zod';

/** Maximum characters of a filter that is stored with a rule, as JSON: enough for a thousand values. */
export const MAX_FILTER_CHARACTERS = 100_000;
const TOO_LONG = `A filter has at most ${MAX_FILTER_CHARACTERS} characters; write it shorter`;

/** A condition in the filter language: an object, or its JSON text. Parsed against its fields when it is used. */
export const filterInputSchema = z.union([
  z
    .record(z.string().max(500), z.unknown())
    .refine((filter) => JSON.stringify(filter).length <= MAX_FILTER_CHARACTERS, { message: TOO_LONG }),
  z.string().max(MAX_FILTER_CHARACTERS, TOO_LONG),
]);
export type FilterInput = z.infer<typeof filterInputSchema>;
