import { optionalNameSchema } from './text.schema.ts';

export const MAX_EXTERNAL_CODE = 50;

/**
 * The code that an administrator's or another system's files give an investor, company or fund. No two of a manager have the
 * same, whatever its case. An update without it keeps it; an empty one removes it.
 */
export const externalCodeSchema = optionalNameSchema(MAX_EXTERNAL_CODE);
