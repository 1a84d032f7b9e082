import type { Serialization, SerializationInput } from './serialization.schema.ts';
import { type AssetStatus, assetStatusOf, statusKey } from './statuses.ts';

/** Why a text of a tape became no status, as a fault's reason ends. */
export const UNKNOWN_STATUS_REASONS = {
  notStatus: 'is not an asset status',
  noCase: 'is in none of the cases',
} as const;

/** A text of a tape, and the status it means. */
export interface StatusWord {
  readonly word: string;
  readonly status: AssetStatus;
}

type SwitchStep = Extract<Serialization, { type: 'switchCase' }>;

/** The steps of a rule for assetStatus whose words a switch of the cell says, or could say. */
interface StatusSteps {
  readonly steps: readonly Serialization[];
  /** Place of the switch; -1 where there is none yet. */
  readonly at: number;
  readonly step: SwitchStep | null;
  /** `statusKey` of every word that has a case, or is left out. */
  readonly known: ReadonlySet<string>;
}

/** A switch takes so many cases at most, with room for those that a person writes. */
const MOST_CASES = 150;

/** Null for steps that end otherwise, or make other words of the cell before they look at it. */
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

/** Whether the steps make a status of a word, or leave it out. */
export const knowsStatus = ({ known }: StatusSteps, word: string): boolean =>
  known.has(statusKey(word)) || assetStatusOf(word) !== null;

/** The steps with a case for each of these words; null where none of them is new, or the switch would take too many. */
export function addStatusWords(read: StatusSteps, words: readonly StatusWord[]): SerializationInput[] | null {
  const { steps, at, step } = read;
  const added = words.filter(({ word }) => !knowsStatus(read, word));
  if (added.length === 0 || added.length + (step?.cases.length ?? 0) > MOST_CASES) return null;
  // biome-ignore lint/suspicious/noThenProperty: the word of the contract; a case is never awaited
  const cases = added.map(({ word, status }) => ({ equals: word, then: status as string }));
  if (step !== null) {
    return steps.map((each, index) => (index === at ? { ...step, cases: [...step.cases, ...cases] } : each));
  }
  return [...steps.slice(0, -1), { type: 'switchCase', cases, default: { previous: true } }, { type: 'assetStatus' }];
}
