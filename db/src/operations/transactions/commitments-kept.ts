import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { commitmentsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { currencyLimits, notePosition, totalIn } from '@tapeline/domain/facilities/ledger.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { compare } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import type { StoredNote } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { currencyRates } from '../currencies/rates.ts';
import { lockNote } from '../ledger/lock-notes.ts';
import { noteLedgers } from '../ledger/note-ledger.ts';

/**
 * The commitments to a note are not reduced below its balance and approved draws, in a currency or in total. Run it once
 * the transaction is written: whoever approves a draw waits for that.
 * @throws Refusal badRequest with the amounts
 */
export async function requireCommitmentsKept(
  session: Session,
  before: readonly StoredNote[],
  after: readonly StoredNote[],
): Promise<void> {
  const { rates } = await currencyRates(session);
  const earlierOf = new Map(before.map((note) => [note.id, note]));
  const figuresOf = (note: StoredNote, currency: string) => ({
    total: totalIn(currency, commitmentsInForce(note)?.commitments ?? [], rates),
    limits: new Map(currencyLimits(note, rates).map((limit) => [limit.currency, limit.amount.sum])),
  });
  const reduced = after.flatMap((note, index) => {
    const earlier = earlierOf.get(note.id);
    const currency = (commitmentsInForce(note) ?? (earlier && commitmentsInForce(earlier)))?.currency;
    if (!earlier || !currency) return [];
    const [was, is] = [figuresOf(earlier, currency), figuresOf(note, currency)];
    const isLess =
      compare(is.total.amount.sum, was.total.amount.sum) < 0 ||
      [...was.limits].some(([code, limit]) => compare(is.limits.get(code) ?? '0', limit) < 0);
    return isLess ? [{ note, index, currency, was, is }] : [];
  });
  for (const { note } of reduced) await lockNote(session, note.id);
  const ledgers = await noteLedgers(
    session,
    reduced.map(({ note }) => note.id),
    { isWhole: true },
  );
  const today = todayOf(session);
  for (const { note, index, currency, was, is } of reduced) {
    const { balance, approved } = notePosition(ledgers.get(note.id)!, today);
    const used = totalByCurrency([...(balance ?? []), ...approved]);
    const refuse = (committed: Amount, drawn: Amount): never => {
      throw new Refusal(
        'badRequest',
        `The commitments to ${note.title} would be ${writtenAmount(committed)}, below its balance and approved draws of ${writtenAmount(drawn)}`,
        {
          flags: {
            [`notes.${index}.tranches`]: `commit less than the ${writtenAmount(drawn)} that are drawn and approved`,
          },
        },
      );
    };
    for (const drawn of used) {
      const limit = is.limits.get(drawn.currency) ?? '0';
      if (compare(limit, drawn.sum) < 0 && compare(limit, was.limits.get(drawn.currency) ?? '0') < 0) {
        refuse({ sum: limit, currency: drawn.currency }, drawn);
      }
    }
    const drawn = totalIn(currency, used, rates);
    // Without a rate, the total is unknown.
    if (drawn.missing.length + is.total.missing.length + was.total.missing.length > 0) continue;
    const { sum } = is.total.amount;
    if (compare(sum, drawn.amount.sum) < 0 && compare(sum, was.total.amount.sum) < 0)
      refuse(is.total.amount, drawn.amount);
  }
}
