import { MAX_MATCHES, matchSchema } from '@tapeline/domain/cash/match.schema.ts';
import { z } from 'zod';
import { partyOfForm } from './cash-forms.ts';

const CHOOSE = 'Choose at least one payment';

/** A suggestion as the form sends it: what was shown is what is confirmed. */
const sentSchema = z.string().transform((text, context) => {
  try {
    return matchSchema.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: CHOOSE });
    return z.NEVER;
  }
});

/** The checked ones, or only the one whose button was pressed. */
export const matchesForm = z
  .object({
    only: sentSchema.optional(),
    matches: z.preprocess(
      (value) => (typeof value === 'string' ? [value] : (value ?? [])),
      z.array(sentSchema).max(MAX_MATCHES),
    ),
  })
  .transform(({ only, matches }, context) => {
    const chosen = only ? [only] : matches;
    if (chosen.length === 0) context.addIssue({ code: 'custom', message: CHOOSE, path: ['matches'] });
    return { matches: chosen };
  });

export const creditForm = z.object({
  paymentVersion: z.coerce.number().int().min(1),
  party: z
    .string('Choose an investor or a borrower')
    .transform((value) => partyOfForm(value))
    .refine((party) => party !== null, 'Choose an investor or a borrower'),
});

export const onlyForm = z.object({ only: sentSchema });
