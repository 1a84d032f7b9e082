import { fundFees } from '@tapeline/db/operations/capital/fees.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import {
  calendarDateSchema,
  formatCalendarDate,
  fromEpochDay,
  toEpochDay,
} from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { compare } from '@tapeline/domain/money/decimal.ts';
import { z } from 'zod';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { intent } from '../../../http/screen.server.ts';
import { atFields } from '../capital-form.ts';

/** A call that is still being entered: only what the proposal needs is checked, the rest is kept as entered. */
const proposalForm = z.looseObject({
  fund: idSchema,
  Class: classKeySchema.optional(),
  feeFrom: calendarDateSchema,
  feeUntil: calendarDateSchema,
  callPurposes: z
    .array(z.looseObject({ kind: z.string().optional(), amount: z.string().optional() }))
    .max(200)
    .default([]),
});

const noFee = (message: string): Refusal => new Refusal('badRequest', message, { flags: { feeUntil: message } });

/** Fills in the management fee of a period as a purpose, and answers the form with everything else as it was entered. */
export const proposeFee = intent({
  permission: 'contributions/write',
  schema: proposalForm,
  async run(form, { db }) {
    const { fund: fundId, Class, feeFrom, feeUntil, callPurposes } = form;
    const { currency, total, investors } = await atFields(
      db(async (session) => {
        const fund = await getFund(session, fundId);
        const to = fromEpochDay(toEpochDay(feeUntil) + 1);
        return fundFees(session, { fundId, Class, currency: fund.currency, from: feeFrom, to, at: feeUntil });
      }),
      (path) => (path === 'to' ? 'feeUntil' : path),
    );
    const amount = total.management;
    if (amount === null) throw noFee('The fee is unknown: an investor that pays on the NAV has none recorded');
    if (compare(amount, '0') <= 0) throw noFee('No management fee follows from the commitments for these days');
    const days = `${formatCalendarDate(feeFrom)} to ${formatCalendarDate(feeUntil)}`;
    const purpose = { kind: 'managementFee', title: `Management fee, ${days}`, amount };
    const open = callPurposes.findIndex((one) => one.kind === 'managementFee' && !one.amount);
    const purposes = open >= 0 ? callPurposes.with(open, purpose) : [...callPurposes, purpose];
    return Response.json({
      intent: 'propose',
      done: false,
      lastResult: { initialValue: { ...form, callPurposes: purposes } },
      proposal: `${formatFigure(amount, 2)} ${currency}: the management fee of ${formatCount(investors.length, 'commitment')} for ${days}`,
    });
  },
});
