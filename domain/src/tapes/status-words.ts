import type { Serialization, SerializationInput } from './serialization.schema.ts';
import { type AssetStatus, assetStatusOf, statusKey } from './statuses.ts';

/** A text of a tape, and the status that it means. */
export interface StatusWord {
  readonly word: string;
  readonly status: AssetStatus;
}

type SwitchStep = Extract<Serialization, { type: 'switchCase' }>;

/** The steps of an assetStatus rule that maps words with a switch, or could do so. */
interface StatusSteps {
  readonly steps: readonly Serialization[];
  /** Position of the switch; -1 if there is none yet. */
  readonly at: number;
  readonly step: SwitchStep | null;
  /** `statusKey` of every word that has a case or is omitted. */
  readonly known: ReadonlySet<string>;
}

/** Maximum number of cases after words are added; leaves room for cases that a person writes. */
const MAX_CASES = 150;

/** Null for steps that do not end in assetStatus, or that change the words of the cell in any other way. */
export function readStatusSteps(steps: readonly Serialization[]): StatusSteps | null {
  if (steps.at(-1)?.type !== 'assetStatus') return null;
  const at = steps.findIndex(({ type }) => type === 'switchCase');
  const others = steps.filter(({ type }, index) => index !== at && type !== 'assetStatus');
  if (others.some(({ type }) => type !== 'omit' && type !== 'trim')) return null;
  const step = at < 0 ? null : (steps[at] as SwitchStep);
  const known = new Set(
    [
      ...(step?.cases ?? []).flatMap(({ equals }) => equals),
      ...others.flatMap((each) => (each.type === 'omit' ? each.values : [])),
    ].map((word) => statusKey(String(word))),
  );
  return { steps, at, step, known };
}

/** Whether the steps map a word to a status or omit it. */
export const knowsStatus = ({ known }: StatusSteps, word: string): boolean =>
  known.has(statusKey(word)) || assetStatusOf(word) !== null;

/** The steps with a case added for each of these words; null if no word is new, or if there would be too many cases. */
export function addStatusWords(read: StatusSteps, words: readonly StatusWord[]): SerializationInput[] | null {
  const { steps, at, step } = read;
  const added = words.filter(({ word }) => !knowsStatus(read, word));
  if (added.length === 0 || added.length + (step?.cases.length ?? 0) > MAX_CASES) return null;
  // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
  const cases = added.map(({ word, status }) => ({ equals: word, then: status as string }));
  if (step !== null) {
    return steps.map((each, index) => (index === at ? { ...step, cases: [...step.cases, ...cases] } : each));
  }
  return [...steps.slice(0, -1), { type: 'switchCase', cases, default: { previous: true } }, { type: 'assetStatus' }];
}
