import { z } from 'zod';
import { textSchema } from '../documents/text.schema.ts';

/** Why what another person entered is declined. */
export const requestDeclineSchema = z.object({ reason: textSchema(5, 500) });
