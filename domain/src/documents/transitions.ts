import { Refusal } from '../errors/refusal.ts';

/** The allowed transitions of a document with a status, by state. */
export interface Transitions<State extends string> {
  /** Every state, in the order of the table. */
  readonly states: readonly State[];
  /** Whether the table has this transition. Staying in a state is not a transition. */
  allows(from: State, to: State): boolean;
  /**
   * @param reason what to know or do about it, after the two states
   * @throws Refusal badRequest that names the two states, with a flag on `status`
   */
  require(from: State, to: State, reason?: string): void;
  /** Like `require`, but allows staying in the state: a step can be repeated. Returns the new state. */
  enter(from: State, to: State): State;
  /** The states that can go to this one, for SQL that changes several documents. */
  sourcesOf(to: State): State[];
}

/** @param name of the document in a sentence, with its article: "a contract" */
export const impossibleTransition = (name: string, from: string, to: string, reason?: string): Refusal =>
  new Refusal(
    'badRequest',
    `${name.charAt(0).toUpperCase()}${name.slice(1)} cannot go from ${from} to ${to}${reason ? `: ${reason}` : ''}`,
    { flags: { status: `cannot go from ${from} to ${to}` } },
  );

/**
 * The states of a document and the transitions between them: the only table, for operations and screens.
 * @param name of the document in a sentence, with its article: "a contract"
 */
export function defineTransitions<State extends string>(
  name: string,
  table: Readonly<Record<State, readonly NoInfer<State>[]>>,
): Transitions<State> {
  const allows = (from: State, to: State): boolean => table[from].includes(to);
  const states = Object.keys(table) as State[];
  const require = (from: State, to: State, reason?: string): void => {
    if (!allows(from, to)) throw impossibleTransition(name, from, to, reason);
  };
  return {
    states,
    allows,
    require,
    enter(from, to) {
      if (from !== to) require(from, to);
      return to;
    },
    sourcesOf: (to) => states.filter((from) => allows(from, to)),
  };
}
