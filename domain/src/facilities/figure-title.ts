import { nameSchema } from '../documents/text.schema.ts';

/** The name of a facility figure. It has no brackets, because they end a name in a formula. */
export const figureTitleSchema = nameSchema(2, 80).refine((title) => !/[[\]]/.test(title), {
  message: 'A figure has no square brackets in its name',
});
