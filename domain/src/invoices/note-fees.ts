import { type AmendedNote, interestSteps, versionsOf } from '../amendments/terms-by-day.ts';
import { saysSame, type TermStep } from '../amendments/versions.ts';
import { addDays, type CalendarDate } from '../dates/calendar-day.ts';
import { termsInForce, timelineInForce } from '../facilities/in-force.ts';
import { type BasisStep, dayCountBefore } from '../interest/accrual.ts';
import type { DecimalText } from '../money/decimal.ts';
import { type DatedFee, feeLines, type InvoiceFeeBasis, type Period } from './fee-lines.ts';
import type { InvoiceLine } from './lines.ts';

// biome-ignore-start lint/complexity/useMathMinMax: days are texts
const earlier = (one: CalendarDate, other: CalendarDate | undefined): CalendarDate =>
  other !== undefined && other < one ? other : one;
const later = (one: CalendarDate, other: CalendarDate | null): CalendarDate =>
  other !== null && other > one ? other : one;
// biome-ignore-end lint/complexity/useMathMinMax: days are texts

/**
 * The fees of a note by their titles, each with its terms by day; null where the terms do not have it. Two fees of one title
 * are matched by their order.
 */
export function feesByDay(amended: AmendedNote): { title: string; steps: TermStep<DatedFee | null>[] }[] {
  const interest = interestSteps(amended);
  const versions = versionsOf(amended).map(({ from, note }) => {
    const titles = new Map<string, number>();
    const keyed = (termsInForce(note).fees ?? []).map((fee): [string, DatedFee] => {
      const place = titles.get(fee.title) ?? 0;
      titles.set(fee.title, place + 1);
      const counted = interest.filter((step) => step.from === null || (from !== null && step.from <= from));
      return [
        `${place} ${fee.title}`,
        { fee, timeline: timelineInForce(note), dayCount: dayCountBefore(counted, '9999-12-31') },
      ];
    });
    return { from, fees: new Map(keyed) };
  });
  // Those of the latest terms in their order, then those that an amendment removed.
  const keys = [...new Set(versions.toReversed().flatMap(({ fees }) => [...fees.keys()]))];
  return keys.map((key) => {
    const steps: TermStep<DatedFee | null>[] = [];
    for (const { from, fees } of versions) {
      const value = fees.get(key) ?? null;
      if (steps.at(-1)?.from === from && from !== null) steps.pop();
      if (steps.length > 0 && saysSame(steps.at(-1)!.value, value)) continue;
      steps.push({ from, value });
    }
    return { title: key.slice(key.indexOf(' ') + 1), steps };
  });
}

/** What a fee charges in a period by its terms of each day. What accrues is one line, which is rounded once. */
export function chargedFee(
  steps: readonly TermStep<DatedFee | null>[],
  { period, basis }: { period: Period; basis: InvoiceFeeBasis },
): InvoiceLine[] {
  const parts = steps.flatMap(({ from, value }, index) => {
    const part = { from: later(period.from, from), to: earlier(period.to, steps[index + 1]?.from ?? undefined) };
    return value && part.from < part.to ? [{ ...value, period: part }] : [];
  });
  const amended = (basis.commitments ?? []).filter(({ from }) => from > period.from && from < period.to);
  return feeLines(parts, basis).map((line) =>
    line.committed === undefined || amended.length === 0
      ? line
      : { ...line, commitments: [{ from: period.from, sum: line.committed }, ...amended] },
  );
}

/** What is charged on principal that is repaid on a day, before it is due, by the terms of that day. */
export const prepaymentFees = (
  amended: AmendedNote,
  { day, principal, currency }: { day: CalendarDate; principal: DecimalText; currency: string },
): InvoiceLine[] => {
  const period = { from: day, to: addDays(day, 1) };
  const prepaid = [{ from: day, sum: principal }];
  const basis = { currency, commitments: null, balance: null, mixedWith: null, prepaid };
  return feesByDay(amended)
    .filter(({ steps }) => steps.some(({ value }) => value?.fee.onPrepayment))
    .flatMap(({ steps }) => chargedFee(steps, { period, basis }))
    .filter(({ rule }) => rule === 'prepayment');
};

/** Whether the terms have the fee on some day of a period. */
export const isCharged = (steps: readonly TermStep<DatedFee | null>[], { from, to }: Period): boolean =>
  steps.some((step, index) => step.value !== null && (step.from ?? from) < to && (steps[index + 1]?.from ?? to) > from);

/** The commitments that an invoice was calculated with, until the first amendment of them; from then on as they are now. */
export function commitmentsSince(
  invoiced: readonly BasisStep[],
  now: readonly BasisStep[] | null,
): readonly BasisStep[] {
  const first = now?.[1]?.from;
  if (first === undefined) return invoiced;
  return [...invoiced.filter(({ from }) => from < first), ...now!.slice(1)];
}
