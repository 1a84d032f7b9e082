import type { RuleInput } from '../../rule.schema.ts';
import { resolveTarget } from '../../target-schema.ts';
import { suggestMapping } from '../suggest-mapping.ts';
import { type CorpusTape, columnsOfTape, fieldsOf, isOptional } from './corpus-tape.ts';

/** From these confidences on, a suggestion is in the band. */
const BANDS = [0.9, 0.6, 0] as const;

/** What the suggestions have to reach on tapes that they were tuned on and on others. */
export const LIMITS = {
  precision: [
    { from: 0.9, share: 0.99 },
    { from: 0.6, share: 0.85 },
  ],
  /** Of the columns that an analyst would map, with a suggestion at 0.6 and more. */
  recall: 0.8,
} as const;

/** A suggestion for a column, compared with the choice of an analyst. */
export interface ScoredSuggestion {
  readonly tape: string;
  readonly header: string;
  /** Null for an id that is made of several columns. */
  readonly path: string;
  readonly confidence: number;
  readonly isOn: boolean;
  readonly isRight: boolean;
  readonly reason: string;
}

export interface CorpusScore {
  readonly suggestions: readonly ScoredSuggestion[];
  /** Columns that an analyst would map. */
  readonly labelled: number;
  /** Labelled columns without their field among the suggestions at 0.6 and more, as `tape: header is field`. */
  readonly missed: readonly string[];
}

/** Compares the suggestions for a tape with the choices of an analyst. */
export function scoreTape(tape: CorpusTape, seed = 7): CorpusScore {
  const fields = new Map(tape.columns.map(([header, target]) => [header, fieldsOf(target)]));
  const hasId = [...fields.values()].some((paths) => paths.includes('assetId'));
  const suggestions = suggestMapping({ columns: columnsOfTape(tape, seed) }).flatMap(
    ({ rule, confidence, isOn, reason }): ScoredSuggestion[] => {
      const resolved = resolveTarget(rule.targetCol);
      if (typeof rule.originCol !== 'string' || rule.checks?.includes('Temporary') || resolved.kind !== 'field')
        return [];
      const { path } = resolved;
      // An id made of several columns is right for a tape without one.
      const isRight = isMadeId(rule) ? !hasId : (fields.get(rule.originCol)?.includes(path) ?? false);
      return [{ tape: tape.name, header: rule.originCol, path, confidence, isOn, isRight, reason }];
    },
  );
  const found = suggestions.filter(({ confidence, isRight }) => confidence >= 0.6 && isRight);
  const labelled = tape.columns.filter(([, target]) => !isOptional(target));
  const missed = labelled.filter(([, target]) => {
    const wanted = fieldsOf(target);
    // If either of two columns can be the field, mapping either one is right.
    return !found.some(({ path }) => wanted.includes(path));
  });
  return {
    suggestions,
    labelled: labelled.length,
    missed: missed.map(([header, target]) => `${tape.name}: ${header} is ${target}`),
  };
}

/** An id made of several columns says that no single column is an id. */
const isMadeId = ({ targetCol, serializations }: RuleInput): boolean =>
  targetCol === 'assetId' && serializations.some(({ type }) => type === 'concat');

export const totalOf = (scores: readonly CorpusScore[]): CorpusScore => ({
  suggestions: scores.flatMap(({ suggestions }) => suggestions),
  labelled: scores.reduce((sum, { labelled }) => sum + labelled, 0),
  missed: scores.flatMap(({ missed }) => missed),
});

export interface BandScore {
  /** The lowest confidence of the band. */
  readonly from: number;
  readonly right: number;
  readonly wrong: readonly ScoredSuggestion[];
  /** Suggestions of the band that are part of the mapping from the start. */
  readonly on: number;
}

export const bandsOf = ({ suggestions }: CorpusScore): BandScore[] =>
  BANDS.map((from, index) => {
    const below = BANDS[index - 1] ?? Number.POSITIVE_INFINITY;
    const inBand = suggestions.filter(({ confidence }) => confidence >= from && confidence < below);
    return {
      from,
      right: inBand.filter(({ isRight }) => isRight).length,
      wrong: inBand.filter(({ isRight }) => !isRight),
      on: inBand.filter(({ isOn }) => isOn).length,
    };
  });
