import vocabulary from './header-vocabulary.json' with { type: 'json' };

/** The values that a field's column is expected to hold. */
export type Shape =
  | 'id'
  | 'text'
  | 'status'
  | 'date'
  | 'amount'
  | 'rate'
  | 'percent'
  | 'count'
  | 'term'
  | 'score'
  | 'grade'
  | 'state'
  | 'assetType'
  | 'zip'
  | 'flag'
  | 'currency'
  | 'country';

export interface TargetNames {
  readonly path: string;
  readonly shape: Shape;
  /** Names of the field on real tapes, as words; `ABBREVIATIONS` spells out abbreviations on both sides. */
  readonly names: readonly string[];
  /** Names that mean something else on some tapes, so that a person has to decide. */
  readonly vague: readonly string[];
  /** One of these words has to be in the header: `payments` alone says nothing about principal. */
  readonly needs?: readonly string[];
}

/** Common abbreviations of the industry, applied to headers and names alike. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = vocabulary.abbreviations;

/** Names of each target field on tapes of mortgages, consumer, small-business and auto loans. */
export const TARGET_NAMES = vocabulary.targets as readonly TargetNames[];

/** Columns that tapes contain and no field takes, however much of a field's name they share. */
export const OTHER_NAMES: readonly string[] = vocabulary.otherNames;

/** Every word of these names. */
export const NAME_WORDS: ReadonlySet<string> = new Set(
  [...TARGET_NAMES.flatMap(({ names, vague }) => [...names, ...vague]), ...OTHER_NAMES].flatMap((name) =>
    name.split(' '),
  ),
);
