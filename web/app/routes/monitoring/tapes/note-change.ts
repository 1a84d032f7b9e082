import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { subtract } from '@tapeline/domain/money/decimal.ts';
import type { VisibleNote } from '../../../commands/reviewed-notes.server.ts';

export type NoteWithChange = VisibleNote & { readonly change: Amount | null };

/** A note with the change of its net borrowing base. Null if one is unknown, or in another currency. */
export const withChange = (note: VisibleNote): NoteWithChange => {
  const { before, after } = note;
  const isKnown = before !== null && after !== null && before.currency === after.currency;
  return { ...note, change: isKnown ? { sum: subtract(after.sum, before.sum), currency: after.currency } : null };
};
