import { type CallTerms, callTotal } from '@tapeline/db/operations/capital/contributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { ContributionCreate } from '@tapeline/domain/capital/contribution.schema.ts';
import { isSummed } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isNegative, negate, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import type { CallForm } from './call-form.ts';

/**
 * The terms of a call. A purpose without an amount takes what the others leave.
 * @param scope whose commitments a percentage is of
 * @throws Refusal as `callTotal`; badRequest if nothing is left
 */
export async function callOfForm(
  session: Session,
  form: CallForm,
  scope: { Class?: string | null | undefined; commitmentIds?: ReadonlySet<string> },
): Promise<CallTerms & Pick<ContributionCreate, 'fund'>> {
  const { fund, cutOffDate, dueDate, callNumber, amount, percentage, callPurposes } = form;
  const { currency } = await getFund(session, fund);
  const isWhole = callPurposes.some((one) => isSummed(one) && one.amount === undefined);
  const total =
    amount ??
    (isWhole || percentage === undefined ? null : await callTotal(session, { ...scope, fund, cutOffDate, percentage }));
  const left = total === null ? '0' : subtract(total, sum(callPurposes.flatMap((one) => one.amount ?? [])));
  const open = callPurposes.findIndex((one) => one.amount === undefined && !isSummed(one));
  if (open >= 0 && isNegative(left)) {
    throw new Refusal('badRequest', `The other purposes are ${negate(left)} ${currency} more than ${total}`, {
      flags: { [`callPurposes.${open}.amount`]: 'has no remainder left to take' },
    });
  }
  return {
    fund,
    cutOffDate,
    dueDate,
    callNumber,
    ...(amount === undefined ? { percentage } : { amount: { sum: amount, currency } }),
    callPurposes: callPurposes.map((one) => ({ ...one, amount: one.amount ?? (isSummed(one) ? null : left) })),
    trailingDescription: form.trailingDescription,
    pdfOptions: { fundLevel: form.fundLevel, basis: form.basis },
  };
}
