import { type Answer, Caller, type Target } from '../client/caller.ts';
import type { TestIdentityProvider } from '../testing/identity-provider.ts';
import { bodyProblemOf, problemOf } from './judge.ts';

/** A product with everything that the attacks need. */
export interface AttackTarget extends Target {
  readonly identity: TestIdentityProvider;
}

/** An attack that once succeeded, or that any product of this kind must withstand. */
export interface Replay {
  readonly name: string;
  /** Waits for the product's timeouts. */
  readonly isSlow?: boolean;
  /** Changes the product for good. */
  readonly isHarmful?: boolean;
  /** @throws Error describing what the product allowed */
  run(stage: Stage): Promise<void>;
}

/** The callers available to an attack. Attacks must not sign them out. */
export interface Stage {
  readonly target: AttackTarget;
  readonly manager: Caller;
  readonly borrower: Caller;
  readonly stranger: Caller;
  /** How long other callers may wait for a trivial answer during an attack on the time of the server. */
  readonly maxWaitMs: number;
}

export function check(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new Error(message);
}

/** The response must be an error. For the REST API, its body must match the error catalogue. */
export function refused(answer: Answer, statuses: readonly number[], { isScreen = false } = {}): void {
  const problem = problemOf(answer) ?? (isScreen ? null : bodyProblemOf(answer));
  check(problem === null, problem ?? '');
  check(statuses.includes(answer.status), `answered ${answer.status} instead of ${statuses.join(' or ')}`);
}

/**
 * Runs `attack` while another caller makes a trivial request repeatedly.
 * @throws if a request of that caller takes too long
 */
export async function othersAreServed<T>({ target }: Stage, attack: () => Promise<T>, maxMs: number): Promise<T> {
  const other = await Caller.anonymous(target);
  let isOver = false;
  let slowestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const { status, elapsedMs } = await other.call('GET', '/healthz');
      check(status === 200, `/healthz answered ${status} meanwhile`);
      slowestMs = Math.max(slowestMs, elapsedMs);
    }
  })();
  const done = await attack().finally(() => {
    isOver = true;
  });
  await asking;
  check(slowestMs < maxMs, `others waited ${Math.round(slowestMs)} ms for an answer`);
  return done;
}

export interface Tape {
  readonly id: string;
  readonly cutOffDate: string;
  readonly assetsETL: string;
  readonly metadata: { readonly attachment: { readonly key: string } };
}

/** The signed-in user, or a user or role as a call returns it. */
export interface SignedIn {
  readonly id: string;
  readonly version: number;
  readonly email: string;
  readonly pendingEmail: string | null;
  readonly managerId: string;
  readonly level: number;
}

export const publishedTape = async (caller: Caller): Promise<Tape> => {
  const [tape] = await caller.list<Tape>('/crud/loanTape?limit=1');
  check(tape !== undefined, 'there is no tape to attack with');
  return tape;
};

export interface Titled {
  readonly id: string;
  readonly title: string;
}

/** Any response is allowed unless it is a failure of the product. */
export function standing(answer: Answer): void {
  check(problemOf(answer) === null, problemOf(answer) ?? '');
}
