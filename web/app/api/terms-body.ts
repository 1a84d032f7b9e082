import type { DrawLimits, NoteTerms, TransactionFee } from '@tapeline/domain/facilities/terms.schema.ts';
import type { TransactionNote } from '@tapeline/domain/facilities/transaction.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';

type LimitedDraw = NonNullable<DrawLimits[keyof DrawLimits]>;

const limitBody = <Limit extends LimitedDraw>({ amountRange, ...limit }: Limit) => ({
  ...limit,
  ...(amountRange === undefined ? {} : { amountRange: amountRange && rangeBody(amountRange) }),
});

const rangeBody = ({ min, max, ...range }: NonNullable<LimitedDraw['amountRange']>) => ({
  ...range,
  min: exactNumber(min),
  max: exactNumber(max),
});

const feeBody = ({ rate, ...fee }: TransactionFee) => ({
  ...fee,
  rate: typeof rate === 'number' ? rate : { ...rate, sum: exactNumber(rate.sum) },
});

/** Terms in wire format. Amounts are numbers with all their digits, also those that are not a sum with its currency. */
export const termsBody = <Terms extends Pick<NoteTerms, 'fees' | 'drawLimits'>>({
  fees,
  drawLimits,
  ...terms
}: Terms) => ({
  ...terms,
  ...(fees ? { fees: fees.map(feeBody) } : {}),
  ...(drawLimits
    ? {
        drawLimits: Object.fromEntries(
          Object.entries(drawLimits).map(([kind, limit]) => [kind, limit && limitBody(limit)]),
        ),
      }
    : {}),
});

/** A note in wire format. */
export const noteBody = (note: TransactionNote) => ({
  ...note,
  ...(note.terms ? { terms: termsBody(note.terms) } : {}),
  tranches: note.tranches.map((tranche) => ({ ...tranche, terms: termsBody(tranche.terms) })),
});
