import { listPaymentsToMatch, type PaymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import type { Obligation } from '@tapeline/db/operations/cash/obligations.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { Direction } from '@tapeline/domain/cash/labels.ts';
import { add, type DecimalText, min } from '@tapeline/domain/money/decimal.ts';
import { closesRest } from './match-words.ts';

/** With more than these, only the queue compares them. */
const MOST_COMPARED = 500;
const SHOWN = 3;
/** From here on a suggestion is nearly always right (`bench/README.md`, matching). */
const LIKELY_PERCENT = 80;

/** What likely matches would pay of one obligation. */
interface Suggested {
  readonly obligation: Obligation;
  readonly paid: DecimalText;
}

/** What is open by the likely matches of all payments, by document and currency. */
function suggestedBy(rows: readonly PaymentToMatch[]): ReadonlyMap<string, Suggested> {
  const found = new Map<string, Suggested>();
  for (const { suggestions } of rows) {
    const [best] = suggestions;
    if (!best || best.confidence < LIKELY_PERCENT) continue;
    for (const { obligation, amount } of best.allocations) {
      const key = suggestedKey(obligation);
      const paid = closesRest(best) ? obligation.open : add(found.get(key)?.paid ?? '0', amount);
      found.set(key, { obligation, paid: min(paid, obligation.open) });
    }
  }
  return found;
}

export const suggestedKey = ({ documentId, currency }: Pick<Obligation, 'documentId' | 'currency'>): string =>
  `${documentId}/${currency}`;

/** The newest bank lines that nobody has matched, how many each account has, and what is late but has a likely match. */
export async function toMatchOf(
  session: Session,
  { fund, direction }: { fund: string | undefined; direction: Direction },
) {
  const { rows, counts, total, compared } = await listPaymentsToMatch(session, {
    limit: MOST_COMPARED,
    most: MOST_COMPARED,
  });
  const isCompared = compared === total;
  const ofFund = fund ? rows.filter(({ payment }) => payment.accountFund === fund) : rows;
  const suggested = isCompared ? suggestedBy(rows) : new Map<string, Suggested>();
  const late = [...suggested.values()].filter(
    ({ obligation }) =>
      obligation.direction === direction && obligation.state === 'overdue' && (!fund || obligation.fund?.id === fund),
  );
  return {
    rows: isCompared ? ofFund.slice(0, SHOWN) : [],
    /** Of the fund. */
    count: isCompared ? ofFund.length : total,
    total,
    isCompared,
    counts: new Map(counts.map(({ account, count }) => [account, count])),
    suggested,
    late: late.map(({ obligation: { currency }, paid }) => ({ currency, paid })),
  };
}

/** Obligations without those that a payment at the bank likely pays: their parties need no reminder. */
export const withoutSuggested = (
  obligations: readonly Obligation[],
  suggested: Pick<ReadonlyMap<string, unknown>, 'has'> = new Map(),
): Obligation[] => obligations.filter((one) => !suggested.has(suggestedKey(one)));
