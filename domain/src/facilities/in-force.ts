import type { DecimalText } from '../money/decimal.ts';
import { totalByCurrency } from '../money/totals.ts';
import type { DefaultEvent } from './pricing.schema.ts';
import type { NoteTerms, TransactionTerms } from './terms.schema.ts';
import type { NoteCommitments, NoteWithoutContracts } from './transaction.schema.ts';

/** The one tranche that is active; undefined where none is. */
export function activeTranche<Tranche extends { sequenceActivated: boolean }>(note: {
  tranches: Tranche[];
}): Tranche | undefined {
  return note.tranches.find((tranche) => tranche.sequenceActivated);
}

/** The terms in force: those of the active tranche, over those of the note. */
export function termsInForce(note: NoteWithoutContracts): Partial<TransactionTerms> {
  const stated = (terms: NoteTerms | null | undefined): Partial<TransactionTerms> =>
    Object.fromEntries(
      Object.entries(terms ?? {}).filter(
        ([key, value]) => value != null && !(key === 'fees' && Array.isArray(value) && value.length === 0),
      ),
    );
  return { ...stated(note.terms), ...stated(activeTranche(note)?.terms) };
}

/** Every event of default of a note. One that was recorded for a tranche lasts when the next one is active. */
export const defaultEventsIn = ({ terms, tranches }: NoteWithoutContracts): DefaultEvent[] => [
  ...(terms?.defaultEvents ?? []),
  ...tranches.flatMap((tranche) => tranche.terms.defaultEvents ?? []),
];

/** The dates in force: those of the terms in force, or else of the first tranche. Undefined if there are none. */
export const timelineInForce = (note: NoteWithoutContracts): TransactionTerms['timeline'] | undefined =>
  termsInForce(note).timeline ?? note.tranches[0]?.terms.timeline;

/**
 * The commitments to a note that are in force: those of its tranches up to and including the active one. If none is
 * active, those of the note's own terms, or of all its tranches.
 */
export function commitmentTermsInForce(note: NoteCommitments): TransactionTerms['commitments'] {
  const active = activeTranche(note);
  if (active) {
    return note.tranches
      .filter(({ sequence }) => sequence <= active.sequence)
      .flatMap(({ terms }) => terms.commitments);
  }
  return note.terms?.commitments ?? note.tranches.flatMap(({ terms }) => terms.commitments);
}

/** The commitments in force by currency, and the note's main currency. Undefined if no currency is known. */
export function commitmentsInForce(
  note: NoteCommitments,
): { currency: string; commitments: { sum: DecimalText; currency: string }[] } | undefined {
  const isStated = activeTranche(note) !== undefined || note.terms?.commitments != null;
  const commitments = isStated
    ? totalByCurrency(commitmentTermsInForce(note).map(({ amount }) => amount))
    : note.maxCommitments;
  const currency = note.mainCurrency ?? commitments[0]?.currency;
  return currency ? { currency, commitments } : undefined;
}
