import type { RuleInput } from '../../rule.schema.ts';
import { resolveTarget } from '../../target-schema.ts';
import { suggestMapping } from '../suggest-mapping.ts';
import { type CorpusColumn, type CorpusTape, columnsOfTape, NONE } from './corpus-tape.ts';

export interface CorpusScore {
  /** Columns that an analyst would map. */
  readonly labelled: number;
  /** Labelled columns whose field is suggested and on. */
  readonly right: number;
  /** Suggestions that are on. */
  readonly on: number;
  /** Suggestions that are on and that an analyst would not choose, as `tape: header -> field`. */
  readonly wrong: readonly string[];
  /** Labelled columns without their field. */
  readonly missed: readonly string[];
}

/** Compares the suggestions for a tape that are on with the choices of an analyst. */
export function scoreTape(tape: CorpusTape, seed = 7): CorpusScore {
  const suggestions = suggestMapping({ columns: columnsOfTape(tape, seed) });
  const made = suggestions.flatMap(({ rule, isOn }) => {
    const resolved = resolveTarget(rule.targetCol);
    const isOwn = typeof rule.originCol === 'string' && !rule.checks?.includes('Temporary') && !isMadeId(rule);
    return isOn && isOwn && resolved.kind === 'field' ? [{ header: rule.originCol, path: resolved.path }] : [];
  });
  const allowedOf = new Map(tape.columns.map(([header, target]) => [header, fieldsOf(target)]));
  const wrong = made.filter(({ header, path }) => !allowedOf.get(header ?? '')?.includes(path));
  const labelled = tape.columns.filter(([, target]) => target !== null && !target.includes(NONE));
  const missed = labelled.filter(([header, target]) => {
    const fields = fieldsOf(target);
    // If either of two columns can be the field, mapping either one is right.
    return !made.some(
      (each) =>
        fields.includes(each.path) && (each.header === header || allowedOf.get(each.header ?? '')?.includes(each.path)),
    );
  });
  return {
    labelled: labelled.length,
    right: labelled.length - missed.length,
    on: made.length,
    wrong: wrong.map(({ header, path }) => `${tape.name}: ${header} -> ${path}`),
    missed: missed.map(([header, target]) => `${tape.name}: ${header} is ${fieldsOf(target).join(' or ')}`),
  };
}

const fieldsOf = (target: CorpusColumn[1]): readonly string[] =>
  target === null ? [] : typeof target === 'string' ? [target] : target.filter((path) => path !== NONE);

/** An id made of several columns means that no single column is one: it is neither right nor wrong. */
const isMadeId = ({ targetCol, serializations }: RuleInput): boolean =>
  targetCol === 'assetId' && serializations.some(({ type }) => type === 'concat');

export const totalOf = (scores: readonly CorpusScore[]): CorpusScore => ({
  labelled: scores.reduce((sum, { labelled }) => sum + labelled, 0),
  right: scores.reduce((sum, { right }) => sum + right, 0),
  on: scores.reduce((sum, { on }) => sum + on, 0),
  wrong: scores.flatMap(({ wrong }) => wrong),
  missed: scores.flatMap(({ missed }) => missed),
});
