import type { BorrowingBaseResult } from '../../borrowing-base/result.ts';
import { formatInstant } from '../../dates/instant.ts';
import type { DecimalText } from '../../money/decimal.ts';
import { formatAmount } from '../../money/format-figure.ts';
import type { PrintedBlock } from '../../printing/printed-document.ts';
import { UNKNOWN } from '../../printing/printed-figures.ts';
import { figures, tableOf, texts } from '../../printing/printed-table.ts';
import { certifiedLines } from '../certified-lines.ts';
import { type ComparedLine, compareLines, differs, explanationOf } from '../compare-lines.ts';
import type { OwnLine } from '../own-lines.ts';

/** A borrower's certificate that the lender accepts, as it is sealed. */
export interface AcceptedCertificate {
  /** Null if the borrower confirmed the calculated figures. */
  readonly lines: readonly OwnLine[] | null;
  readonly text: string;
  readonly name: string;
  readonly title: string;
  readonly submittedBy: string;
  /** ISO instants. */
  readonly submittedAt: string;
  readonly acceptedBy: string;
  readonly acceptedAt: string;
  /** Says whether a file is this one. */
  readonly verification: string;
}

const amount = (sum: DecimalText | null, currency: string): string =>
  sum === null ? UNKNOWN : formatAmount({ sum, currency });

/** What the borrower stated beside what was calculated. */
function statedTable(lines: readonly ComparedLine[]): PrintedBlock {
  return tableOf(lines, {
    title: 'Figures of the borrower',
    note: 'difference: theirs less ours',
    columns: [
      texts('Line', 4, ({ label }) => label),
      figures('Calculated', 1.9, ({ ours, currency }) => amount(ours, currency)),
      figures('Borrower', 1.9, ({ theirs, currency }) => amount(theirs, currency)),
      figures('Difference', 1.7, ({ difference, currency }) => amount(difference, currency)),
      texts('Explanation', 3, (line) => explanationOf(line) ?? (differs(line) ? 'Not explained' : '')),
    ],
    looks: ({ kind }) => (kind === 'part' ? { isIndented: true } : kind === 'level' ? { isStrong: true } : {}),
  });
}

/** The last part of an accepted certificate: what was certified, by whom, and where a file of it is verified. */
export function acceptedBlocks(
  result: BorrowingBaseResult,
  accepted: AcceptedCertificate,
  borrower: string,
): PrintedBlock[] {
  const signed = (name: string, at: string) => `${name}, ${formatInstant(at)} UTC`;
  return [
    ...(accepted.lines ? [statedTable(compareLines(certifiedLines(result), accepted.lines))] : []),
    { kind: 'text', title: 'Certification', text: accepted.text },
    {
      kind: 'details',
      title: 'Signed and accepted',
      details: [
        { label: 'Certified for the borrower by', value: `${accepted.name}, ${accepted.title}, ${borrower}` },
        { label: 'Confirmed with a sign-in code', value: signed(accepted.submittedBy, accepted.submittedAt) },
        {
          label: 'Figures',
          value: accepted.lines
            ? 'those of the borrower, beside the calculated ones'
            : 'the calculated ones, confirmed',
        },
        { label: 'Accepted for the lender by', value: signed(accepted.acceptedBy, accepted.acceptedAt) },
        { label: 'Verify this file at', value: accepted.verification },
      ],
    },
  ];
}
