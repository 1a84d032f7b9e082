import { z } from 'zod';
import { valuesOf } from '../documents/labels.ts';
import { percentageSchema } from '../documents/number.schema.ts';
import { DAY_COUNTS } from '../facilities/terms-labels.ts';
import { COMPOUNDING_LABELS, INTEREST_RECIPIENT_LABELS } from './equalization-terms.ts';

/** By what terms later closings of a fund are equalized. */
export const equalizationTermsSchema = z
  .object({
    ratePercent: percentageSchema,
    dayCount: z.enum(DAY_COUNTS).default('ACT/365F'),
    compounding: z.enum(valuesOf(COMPOUNDING_LABELS)).default('simple'),
    feeInterestTo: z.enum(valuesOf(INTEREST_RECIPIENT_LABELS)).default('manager'),
    feesFromFirstClosing: z.boolean().default(true),
    recallable: z.boolean().default(true),
  })
  .meta({ id: 'EqualizationTerms', description: 'By what terms later closings of the fund are equalized' });

/** As they are stored: the rate in percent. */
export type StoredEqualizationTerms = z.output<typeof equalizationTermsSchema>;
