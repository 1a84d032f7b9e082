import { calendarDateSchema, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { z } from 'zod';
import { intent } from '../../../http/screen.server.ts';

/** A call that is still being entered: only the days are checked, the rest is kept as entered. */
const proposalForm = z
  .looseObject({
    feeFrom: calendarDateSchema,
    feeUntil: calendarDateSchema,
    callPurposes: z
      .array(z.looseObject({ kind: z.string().optional(), amount: z.string().optional() }))
      .max(200)
      .default([]),
  })
  .refine(({ feeFrom, feeUntil }) => feeFrom <= feeUntil, {
    path: ['feeUntil'],
    message: 'must not be before the first day',
  });

/** Adds the management fee of a period as a purpose by each investor’s terms, and keeps everything else as entered. */
export const proposeFee = intent({
  permission: 'contributions/write',
  schema: proposalForm,
  async run(form) {
    const { feeFrom, feeUntil, callPurposes } = form;
    const days = `${formatCalendarDate(feeFrom)} to ${formatCalendarDate(feeUntil)}`;
    const title = `Management fee, ${days}`;
    const purpose = { kind: 'managementFee', title, split: 'terms', from: feeFrom, until: feeUntil };
    const open = callPurposes.findIndex((one) => one.kind === 'managementFee' && !one.amount);
    const purposes = open >= 0 ? callPurposes.with(open, purpose) : [...callPurposes, purpose];
    return Response.json({
      intent: 'propose',
      done: false,
      lastResult: { initialValue: { ...form, callPurposes: purposes } },
      proposal: `the management fee for ${days}. Each investor pays by its own terms, and the review shows the amounts`,
    });
  },
});
