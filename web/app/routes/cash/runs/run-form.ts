import { payableSchema, payablesSchema, runSchemaOf } from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import { z } from 'zod';

/** A payment as its box names it: "distribution/65f0…". */
const payableOfForm = z
  .string()
  .transform((text) => {
    const [kind, id] = text.split('/');
    return { kind, id };
  })
  .pipe(payableSchema);

/** What the form of a run sends. One checked box is one text. */
export const runFormSchema = runSchemaOf(
  z.preprocess(
    (value) => (typeof value === 'string' ? [value] : (value ?? [])),
    z.array(payableOfForm).pipe(payablesSchema),
  ),
);
