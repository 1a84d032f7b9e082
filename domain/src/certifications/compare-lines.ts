import { pick } from '../documents/pick.ts';
import { absolute, type DecimalText, isNegative, isZero, subtract, sum } from '../money/decimal.ts';
import type { CertifiedLine } from './certified-lines.ts';
import type { OwnLine } from './own-lines.ts';

/** A line that the lender disputes, and why. */
export interface DisputedLine {
  readonly line: string;
  readonly reason: string;
}

/** A line of the certificate, ours beside theirs. */
export interface ComparedLine {
  /** Null for a line that only the borrower has. */
  readonly key: string | null;
  readonly label: string;
  readonly kind: CertifiedLine['kind'];
  readonly currency: string;
  readonly ours: DecimalText | null;
  readonly theirs: DecimalText | null;
  /** Theirs less ours; null if one of them is unknown or not given. */
  readonly difference: DecimalText | null;
  /** Labels of the borrower's lines that were added up for it, if they are others. */
  readonly theirLabels: readonly string[];
  /** What the borrower remarked on it. */
  readonly remark: string | null;
  /** Why the lender disputes it. */
  readonly dispute: string | null;
}

/** Whether the two sides state other figures. */
export const differs = ({ difference }: Pick<ComparedLine, 'difference'>): boolean =>
  difference !== null && !isZero(difference);

/** What explains a difference: the reason of a dispute, or the remark of the borrower. Null if nothing does. */
export const explanationOf = ({ remark, dispute }: Pick<ComparedLine, 'remark' | 'dispute'>): string | null =>
  dispute ?? remark;

/** What is taken off may be written with a minus or without. */
const inSignOf = ({ kind, amount }: CertifiedLine, typed: DecimalText): DecimalText =>
  (kind === 'deduction' || kind === 'part') && !(amount !== null && isNegative(amount)) ? absolute(typed) : typed;

/**
 * The lines of a certificate beside those of the borrower, then those that only the borrower has. Amounts are never added across
 * currencies: a line of the borrower is in the currency of the line that it is assigned to.
 * @param own null if the borrower confirms our figures
 */
export function compareLines(
  ours: readonly CertifiedLine[],
  own: readonly OwnLine[] | null,
  disputed: readonly DisputedLine[] = [],
): ComparedLine[] {
  const reasons = new Map(disputed.map(({ line, reason }) => [line, reason]));
  const given = Map.groupBy(own ?? [], ({ line }) => line);
  const currency = ours[0]?.currency ?? '';
  const compared = ours.map((line): ComparedLine => {
    const lines = given.get(line.key) ?? [];
    const theirs =
      own === null ? line.amount : lines.length === 0 ? null : inSignOf(line, sum(lines.map(({ amount }) => amount)));
    const labels = lines.map(({ label }) => label);
    return {
      ...pick(line, 'key', 'label', 'kind', 'currency'),
      ours: line.amount,
      theirs,
      difference: line.amount === null || theirs === null ? null : subtract(theirs, line.amount),
      theirLabels: labels.length === 1 && labels[0] === line.label ? [] : labels,
      remark: lines.flatMap(({ remark }) => remark || []).join('; ') || null,
      dispute: reasons.get(line.key) ?? null,
    };
  });
  const known = new Set(ours.map(({ key }) => key));
  const others = (own ?? []).filter(({ line }) => line === null || !known.has(line));
  return [
    ...compared,
    ...others.map(
      ({ label, amount, remark }): ComparedLine => ({
        key: null,
        label,
        kind: 'signed',
        currency,
        ours: null,
        theirs: amount,
        difference: null,
        theirLabels: [],
        remark: remark || null,
        dispute: null,
      }),
    ),
  ];
}

/** How many lines the borrower states, how many differ, and how many of those nothing explains. */
export function comparisonSummary(lines: readonly ComparedLine[]) {
  const different = lines.filter(differs);
  return {
    given: lines.filter(({ theirs }) => theirs !== null).length,
    differing: different.length,
    unexplained: different.filter((line) => explanationOf(line) === null).length,
  };
}
