import { OWN_ITEMS } from '@tapeline/domain/cash/labels.ts';
import { MAX_MATCHES, matchSchema, ownItemsSchema } from '@tapeline/domain/cash/match.schema.ts';
import { z } from 'zod';
import { versionField } from '../../components/forms/version-field.ts';
import { partyOfForm } from './cash-forms.ts';

const CHOOSE = 'Choose at least one payment';
const NO_SUGGESTION = 'A chosen payment has no suggestion. Choose what it pays, or say that it is not ours';

/** A suggestion as the form sends it: what was shown is what is confirmed. */
const sentSchema = z.string().transform((text, context) => {
  try {
    return matchSchema.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: CHOOSE });
    return z.NEVER;
  }
});

const sentOnce = (value: unknown) => (typeof value === 'string' ? [value] : (value ?? []));

/** The checked ones, or only the one whose button was pressed. */
export const matchesForm = z
  .object({
    only: sentSchema.optional(),
    payments: z.preprocess(sentOnce, z.array(z.string()).max(MAX_MATCHES)),
  })
  .transform(({ only, payments }, context) => {
    if (only) return { matches: [only] };
    if (payments.length === 0) context.addIssue({ code: 'custom', message: CHOOSE, path: ['payments'] });
    const matches = payments.flatMap((text) => sentSchema.safeParse(text).data ?? []);
    if (matches.length < payments.length)
      context.addIssue({ code: 'custom', message: NO_SUGGESTION, path: ['payments'] });
    return { matches };
  });

const ownSchema = z.string().transform((text, context) => {
  try {
    return ownItemsSchema.element.omit({ ownItem: true }).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: CHOOSE });
    return z.NEVER;
  }
});

/** The checked ones, or only the one whose menu was used, and why they are not ours. */
export const ownItemsForm = z
  .object({
    ownItem: z.enum(OWN_ITEMS),
    only: ownSchema.optional(),
    payments: z.preprocess(sentOnce, z.array(ownSchema).max(MAX_MATCHES)),
  })
  .transform(({ ownItem, only, payments }, context) => {
    const chosen = only ? [only] : payments;
    if (chosen.length === 0) context.addIssue({ code: 'custom', message: CHOOSE, path: ['payments'] });
    return { items: chosen.map((one) => ({ ...one, ownItem })) };
  });

export const creditForm = z.object({
  paymentVersion: versionField,
  party: z
    .string('Choose an investor or a borrower')
    .transform((value) => partyOfForm(value))
    .refine((party) => party !== null, 'Choose an investor or a borrower'),
});

export const onlyForm = z.object({ only: sentSchema });
