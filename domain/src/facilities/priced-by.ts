import type { NoteTerms } from './terms.schema.ts';

/** The covenants that the pricing grids of a note and its tranches name. */
export function pricingCovenants(note: {
  readonly terms?: NoteTerms | null | undefined;
  readonly tranches: readonly { readonly terms: NoteTerms }[];
}): string[] {
  const named = [note.terms, ...note.tranches.map(({ terms }) => terms)].flatMap(
    (terms) => terms?.interest?.pricingGrid?.test?.covenant ?? [],
  );
  return [...new Set(named)];
}
