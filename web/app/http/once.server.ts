import { setTimeout } from 'node:timers/promises';
import {
  type KeptAnswer,
  type KeyedRequest,
  keepAnswer,
  keptAnswer,
  releaseKey,
  takeKey,
} from '@tapeline/db/operations/sent-requests/sent-requests.ts';
import { type Store, SYSTEM } from '@tapeline/db/store.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';

/** The header that carries out a creating call once. */
export const KEY_HEADER = 'Idempotency-Key';

/** Ends the handler of a request that was carried out before. */
class AnsweredBefore extends Error {
  readonly answer: KeptAnswer | null;

  constructor(answer: KeptAnswer | null) {
    super('The request was carried out before');
    this.answer = answer;
  }
}

const NOT_FINISHED = `The first request with this ${KEY_HEADER} is not finished. Send it again later`;
const POLL_MS = 100;
const MAX_POLLS = 100;

/**
 * Waits for the answer of the first request, which has stored what it creates. Null if that takes long; `released` if it
 * gave its key back.
 */
async function answerOfFirst(store: Store, request: KeyedRequest): Promise<KeptAnswer | 'released' | null> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const answer = await store.as(SYSTEM, (session) => keptAnswer(session, request));
    if (answer) return answer;
    await setTimeout(POLL_MS);
  }
  return null;
}

/** How a request with a key is carried out, and how its answer is given again. */
export interface KeyedWork<Outcome> {
  /** Whether its own key takes the place of the check for the same money sent twice. */
  readonly isKeyed: boolean;
  /** Carries it out with the store that takes the key. Without an answer to keep, the key is given back. */
  run(store: Store): Promise<{ outcome: Outcome; kept: KeptAnswer | null }>;
  /** The answer of the first request. */
  repeat(answer: KeptAnswer): Outcome;
  /** Is told if the answer could not be kept. */
  report(error: unknown): void;
}

/**
 * Carries out a request with a key once. The key is taken in the first transaction of the handler that does not only
 * prepare, together with what that creates, so either both are stored or none.
 * @returns the answer of the first request
 * @throws Refusal badRequest if the key came with another request; tooMany while the first one is not finished
 */
export async function once<Outcome>(store: Store, request: KeyedRequest, work: KeyedWork<Outcome>): Promise<Outcome> {
  // What the first request prepared may be used up: a file that is no tape is deleted.
  const before = await store.as(SYSTEM, (session) => keptAnswer(session, request));
  if (before && before !== 'released') return work.repeat(before);
  let isTaken = false;
  const keyed: Store = {
    ...store,
    as: async (actor, each, options = {}) => {
      const takes = !isTaken && actor.kind === 'user' && !options.isPreparation;
      const result = await store.as(
        actor,
        async (session) => {
          if (takes) {
            const taken = await takeKey(session, request);
            if (taken !== 'taken') throw new AnsweredBefore(taken === 'released' ? null : taken);
          }
          return each(session);
        },
        { ...options, isKeyed: work.isKeyed },
      );
      if (takes && !options.rollback) isTaken = true;
      return result;
    },
  };
  try {
    const { outcome, kept } = await work.run(keyed);
    if (isTaken) {
      // What was created is stored: without its answer, the key says that it was carried out.
      await store
        .as(SYSTEM, (session) => (kept ? keepAnswer(session, request, kept) : releaseKey(session, request)))
        .catch(work.report);
    }
    return outcome;
  } catch (error) {
    // Only a refusal says that nothing was created. After any other error the key stays taken.
    if (isTaken && isRefusal(error)) await store.as(SYSTEM, (session) => releaseKey(session, request));
    if (!(error instanceof AnsweredBefore)) throw error;
    const answer = error.answer ?? (await answerOfFirst(store, request));
    if (answer === 'released') return once(store, request, work);
    if (!answer) {
      throw new Refusal('tooMany', NOT_FINISHED, { retryAfterSeconds: 1 });
    }
    return work.repeat(answer);
  }
}
