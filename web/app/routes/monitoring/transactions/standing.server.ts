import { noteStanding } from '@tapeline/db/operations/interest/note-standing.ts';
import { listRepayments } from '@tapeline/db/operations/repayments/repayments.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { balancesOf, type NoteLedger } from '@tapeline/domain/facilities/ledger.ts';
import type { NoteWithoutContracts } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { AccruedInterest, InterestSegment } from '@tapeline/domain/interest/accrual.ts';
import { pricingText } from '@tapeline/domain/interest/pricing-text.ts';
import { round, sum } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { interestText } from '../../../components/figures/interest-terms.ts';

/** Periods of interest that the page lists one by one. Earlier ones are one line, so that the lines add up. */
const MAX_SEGMENTS = 60;
/** Changes of the balance that the chart draws. */
const MAX_STEPS = 400;
const LISTED_REPAYMENTS = 6;

/** The balance per currency after each day on which it changed. */
function stepsOf(ledger: NoteLedger, today: string): { currency: string; steps: { date: string; value: number }[] }[] {
  const dates = [
    ...ledger.draws.map(({ dueDate }) => dueDate),
    ...ledger.repayments.map(({ cutOffDate }) => cutOffDate),
  ].filter((date) => date <= today);
  const days = [...new Set(dates)].sort().slice(-MAX_STEPS);
  const steps = new Map<string, { date: string; value: number }[]>();
  for (const date of days) {
    for (const { sum: value, currency } of balancesOf(ledger, { until: date }) ?? []) {
      const known = steps.get(currency) ?? [];
      if (known.at(-1)?.value !== Number(value)) known.push({ date, value: Number(value) });
      steps.set(currency, known);
    }
  }
  return [...steps].map(([currency, of]) => ({ currency, steps: of }));
}

export interface ShownSegments {
  /** The latest periods, the earliest first. */
  segments: (InterestSegment & { pricing: string })[];
  /** The interest of the periods before them; null if all are listed. */
  earlier: { count: number; until: string; interest: string } | null;
}

function shownSegments({ segments, currency }: AccruedInterest): ShownSegments {
  const listed = segments.slice(-MAX_SEGMENTS);
  const before = segments.slice(0, -MAX_SEGMENTS);
  const [first] = listed;
  return {
    segments: listed.map((segment) => ({ ...segment, pricing: pricingText(segment) })),
    earlier:
      before.length > 0 && first
        ? {
            count: before.length,
            until: first.from,
            interest: round(sum(before.map(({ interest }) => interest)), minorUnitDigits(currency)),
          }
        : null,
  };
}

/** What is owed on the note today: its balance over time, and its interest with how it was calculated. */
export async function viewStanding(
  session: Session,
  { managerId, note }: { managerId: string; note: NoteWithoutContracts & { id: string } },
) {
  const today = todayOf(session);
  const { ledger, terms, names, interest, position } = await noteStanding(session, { managerId, note, asOf: today });
  const repayments = await listRepayments(session, {
    filter: { noteId: note.id },
    sort: { cutOffDate: -1 },
    limit: LISTED_REPAYMENTS,
  });
  return {
    today,
    position,
    terms: terms && interestText(terms, names),
    baseRate: terms?.kind === 'variable' ? terms.baseRate : null,
    steps: stepsOf(ledger, today),
    interest:
      interest?.map(({ segments, ...accrued }) => ({
        ...accrued,
        ...shownSegments({ ...accrued, segments }),
        latest: segments.at(-1) ?? null,
      })) ?? null,
    repayments: {
      total: repayments.total,
      rows: repayments.documents.map(({ id, cutOffDate, repayments: parts, invoiceId, ...repayment }) => ({
        id,
        cutOffDate,
        kinds: [...new Set(parts.map(({ kind }) => kind))],
        isInKind: Boolean(invoiceId),
        // In kind, interest and new principal cancel each other out.
        amount: (invoiceId ? parts[0]?.amount : repayment.amountInMainCurrency) ?? null,
      })),
    },
  };
}

export type NoteStandingView = Awaited<ReturnType<typeof viewStanding>>;
