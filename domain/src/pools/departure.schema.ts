import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { choiceSchema } from '../documents/number.schema.ts';
import { textSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { DEPARTURES } from './roll-forward.ts';

/** Loans that one statement can name, and statements of one tape. */
export const MAX_DEPARTED = 5_000;
export const MAX_DEPARTURES = 20;

/** What happened to loans that a tape no longer reports, and what shows it. */
export const departureSchema = z.object({
  kind: choiceSchema(DEPARTURES),
  /** Ids of the loans, as the earlier tape has them. */
  assetIds: z
    .array(z.string().trim().min(1, REQUIRED).max(500))
    .min(1, REQUIRED)
    .max(MAX_DEPARTED, { message: `At most ${MAX_DEPARTED} loans` })
    .transform((ids) => [...new Set(ids)]),
  reason: textSchema(5, 500),
  /** Id or key of an uploaded file that shows it. */
  document: z.string().max(1000).nullish(),
});
export type DepartureBody = z.output<typeof departureSchema>;

/** A statement as calls return it. */
export const shownDepartureSchema = z
  .object({
    id: idSchema,
    loanTapeId: idSchema,
    kind: z.enum(DEPARTURES),
    assetIds: z.array(z.string()),
    reason: z.string(),
    document: idSchema.nullable(),
    enteredBy: z.string(),
    enteredAt: z.string(),
  })
  .meta({ id: 'Departure' });
