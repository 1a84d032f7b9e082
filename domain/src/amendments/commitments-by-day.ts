import { commitmentsInForce, commitmentTermsInForce } from '../facilities/in-force.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { type BasisStep, movementsOf } from '../interest/accrual.ts';
import { isZero } from '../money/decimal.ts';
import { type AmendedNote, versionsOf } from './terms-by-day.ts';
import { stepsByDay } from './versions.ts';

/** The first day of all: what is in force from the beginning. */
export const ALWAYS = '0001-01-01';

/** The commitments in a currency of each day; null if the terms of a day have none. */
export function commitmentSteps(amended: AmendedNote, currency: string): BasisStep[] | null {
  const steps = stepsByDay(versionsOf(amended), (note) => {
    const inForce = commitmentsInForce(note)?.commitments;
    return inForce && inForce.length > 0 ? (inForce.find((one) => one.currency === currency)?.sum ?? '0') : null;
  });
  const known = steps.flatMap(({ from, value }) => (value === null ? [] : [{ from: from ?? ALWAYS, sum: value }]));
  if (known.length < steps.length) return null;
  return known.length === 1 && isZero(known[0]!.sum) ? [] : known;
}

/** Another currency that the commitments in this one are drawn in as well: what is drawn of them depends on exchange rates. */
export function mixedWith(
  { ledger, ...amended }: AmendedNote & { readonly ledger: NoteLedger },
  currency: string,
): string | null {
  const commitments = versionsOf(amended).flatMap(({ note }) => commitmentTermsInForce(note));
  const others = commitments.flatMap(({ amount, additionalCurrencies }) =>
    amount.currency === currency
      ? (additionalCurrencies ?? [])
      : (additionalCurrencies ?? []).includes(currency)
        ? [amount.currency]
        : [],
  );
  const drawnIn = movementsOf(ledger).balance;
  return others.find((other) => other !== currency && (drawnIn.get(other) ?? []).length > 0) ?? null;
}

/** The commitments of each day that utilization is a share of, by currency; null where it is unknown. */
export const utilizedCommitments =
  (note: AmendedNote & { readonly ledger: NoteLedger }) =>
  (currency: string): BasisStep[] | null =>
    mixedWith(note, currency) === null ? commitmentSteps(note, currency) : null;
