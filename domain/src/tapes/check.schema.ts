import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { planMapping } from './mapping-plan.ts';
import { rulesSchema, sheetNameSchema } from './rule.schema.ts';
import { attachmentSchema } from './tape.schema.ts';

/** POST /LTP/checks: what a mapping makes of every row of an uploaded file. */
export const tapeCheckSchema = z
  .strictObject({
    attachment: attachmentSchema,
    companyId: idSchema,
    cutOffDate: calendarDateSchema,
    assetsETL: idSchema.optional().meta({
      description: 'The mapping to check. The latest one of the company if neither it nor rules are given',
    }),
    rules: rulesSchema.optional().meta({ description: 'The rules to check instead of those of a stored mapping' }),
    sheetName: sheetNameSchema.optional().meta({
      description: 'That of the mapping if omitted. With rules, the sheet that looks most like a tape',
    }),
    currency: currencySchema.optional().meta({
      description: 'With rules: the currency of amounts that name none. That of the company if omitted',
    }),
  })
  .superRefine(({ assetsETL, rules, currency }, context) => {
    const raise = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (rules && assetsETL) raise('assetsETL', 'cannot be given together with rules');
    if (!rules && currency) raise('currency', 'can be given with rules only; a mapping has its own');
    if (!rules) return;
    for (const { path, ...why } of planMapping({ rules }).issues) {
      context.addIssue({ code: 'custom', path: [...path], ...why });
    }
  });
export type TapeCheck = z.infer<typeof tapeCheckSchema>;
