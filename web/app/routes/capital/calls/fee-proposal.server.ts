import { feeToCall } from '@tapeline/db/operations/capital/fees.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { FeeDifference } from '@tapeline/domain/capital/fee-differences.ts';
import {
  calendarDateSchema,
  formatCalendarDate,
  fromEpochDay,
  toEpochDay,
} from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { absolute, compare, isNegative, isZero, subtract } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { z } from 'zod';
import { formatCount, formatFigure, writtenAmount } from '../../../components/figures/format.ts';
import { intent } from '../../../http/screen.server.ts';
import { atFields } from '../capital-form.ts';

/** A call that is still being entered: only what the proposal needs is checked, the rest is kept as entered. */
const proposalForm = z.looseObject({
  fund: idSchema,
  Class: classKeySchema.optional(),
  feeFrom: calendarDateSchema,
  feeUntil: calendarDateSchema,
  cutOffDate: calendarDateSchema.optional().catch(undefined),
  callPurposes: z
    .array(z.looseObject({ kind: z.string().optional(), amount: z.string().optional() }))
    .max(200)
    .default([]),
});

const noFee = (message: string): Refusal => new Refusal('badRequest', message, { flags: { feeUntil: message } });

/** Investors that one refusal names. */
const MAX_NAMED = 20;

/** Why the fee cannot be called: whose part would not be its own fee. */
function differencesText(differences: readonly FeeDifference[], currency: string): string {
  const money = (value: string) => formatFigure(value, minorUnitDigits(currency));
  const named = differences.map(
    ({ title, own, part }) => `${title}: own fee ${money(own)}, part of the call ${money(part)}`,
  );
  return `A call is split by commitment, and so would charge ${formatCount(differences.length, 'investor')} another fee than its own (${currency}). ${firstFew(named, { most: MAX_NAMED, separator: '; ' })}. Call each investor’s fee separately, for example with an import`;
}

/** Says where the call and the sum of the investors' own fees differ, because each of these is rounded for itself. */
function roundingText(amount: string, owed: string, currency: string): string {
  const difference = subtract(amount, owed);
  if (isZero(difference)) return '';
  const size = formatFigure(absolute(difference), minorUnitDigits(currency));
  return `. That is ${size} ${isNegative(difference) ? 'less' : 'more'} than their own fees, each rounded, add up to. No part differs from its fee by more than the smallest unit of ${currency}`;
}

/** Fills in the management fee of a period as a purpose, and answers the form with everything else as it was entered. */
export const proposeFee = intent({
  permission: 'contributions/write',
  schema: proposalForm,
  async run(form, { db }) {
    const { fund: fundId, Class, feeFrom, feeUntil, callPurposes } = form;
    const { currency, amount, owed, investors, differences } = await atFields(
      db(async (session) => {
        const fund = await getFund(session, fundId);
        const to = fromEpochDay(toEpochDay(feeUntil) + 1);
        const { currency } = fund;
        const period = { from: feeFrom, to, at: feeUntil };
        return {
          currency,
          ...(await feeToCall(session, {
            fundId,
            Class,
            currency,
            ...period,
            cutOffDate: form.cutOffDate ?? feeUntil,
          })),
        };
      }),
      (path) => (path === 'to' ? 'feeUntil' : path),
    );
    if (amount === null) throw noFee('The fee is unknown: an investor that pays on the NAV has none recorded');
    if (compare(amount, '0') <= 0) throw noFee('No management fee follows from the commitments for these days');
    if (differences.length > 0) throw noFee(differencesText(differences, currency));
    const days = `${formatCalendarDate(feeFrom)} to ${formatCalendarDate(feeUntil)}`;
    const purpose = { kind: 'managementFee', title: `Management fee, ${days}`, amount };
    const open = callPurposes.findIndex((one) => one.kind === 'managementFee' && !one.amount);
    const purposes = open >= 0 ? callPurposes.with(open, purpose) : [...callPurposes, purpose];
    return Response.json({
      intent: 'propose',
      done: false,
      lastResult: { initialValue: { ...form, callPurposes: purposes } },
      proposal: `${writtenAmount({ sum: amount, currency })}: the management fee of ${formatCount(investors, 'commitment')} for ${days}${roundingText(amount, owed ?? amount, currency)}`,
    });
  },
});
