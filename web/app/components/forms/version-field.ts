import { z } from 'zod';

/** The version of a document as its form sends it back. */
export const versionField = z.coerce.number().int().min(1);
