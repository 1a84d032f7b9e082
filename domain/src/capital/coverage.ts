import { firstFew } from '../errors/first-few.ts';
import { type CapitalFigures, type Multiples, multiples, totalFigures } from './capital-figures.ts';

/** How much of a net asset value is known: so many of the parts, and the others. */
export interface Coverage {
  readonly parts: 'funds' | 'investors';
  readonly known: number;
  readonly of: number;
  readonly missing: readonly { readonly id: string; readonly title: string }[];
}

/** Figures of a commitment, with its fund and investor. */
interface Covered extends CapitalFigures {
  readonly fundId: string;
  readonly fundTitle: string;
  readonly investorId: string;
  readonly investorTitle: string;
}

/** Figures of which only a part of the net asset value may be known. */
export interface KnownFigures extends CapitalFigures, Multiples {
  readonly coverage: Coverage;
}

/**
 * Which parts of a selection have a net asset value: its funds, or the investors of its only fund. A part counts as
 * known if all of it is.
 */
export function coverageOf<Position extends Covered>(
  positions: readonly Position[],
): { coverage: Coverage; known: readonly Position[] } {
  const parts = new Set(positions.map(({ fundId }) => fundId)).size > 1 ? 'funds' : 'investors';
  const groups = [...Map.groupBy(positions, (one) => (parts === 'funds' ? one.fundId : one.investorId))];
  const isKnown = (own: readonly Position[]): boolean => own.every(({ nav }) => nav !== null);
  const missing = groups.flatMap(([id, own]) =>
    isKnown(own) ? [] : [{ id, title: parts === 'funds' ? own[0]!.fundTitle : own[0]!.investorTitle }],
  );
  return {
    coverage: { parts, known: groups.length - missing.length, of: groups.length, missing },
    known: groups.flatMap(([, own]) => (isKnown(own) ? own : [])),
  };
}

/**
 * The figures of a selection as screens show them: the net asset value of the parts that have one, with multiples that
 * leave out what the others paid and received. The value is null if no part has one.
 */
export function knownFigures(positions: readonly Covered[]): KnownFigures {
  const { coverage, known } = coverageOf(positions);
  const total = totalFigures(known.length === 0 ? positions : known);
  const { nav, grossNav, navDate } = total;
  return { ...totalFigures(positions), nav, grossNav, navDate, ...multiples(total), coverage };
}

const MAX_NAMES = 3;

/** What a total covers, in words: "3 of 4 funds, without Alpha Fund". Null if it covers everything. */
export function coverageText({ parts, known, of, missing }: Coverage): string | null {
  if (missing.length === 0) return null;
  const names = missing.map(({ title }) => title);
  const isShort = names.length > 1 && names.length <= MAX_NAMES;
  const listed = isShort
    ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    : firstFew(names, { most: MAX_NAMES });
  return `${known} of ${of} ${of === 1 ? parts.slice(0, -1) : parts}, without ${listed}`;
}
