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
import { acceptsKey, type Endpoint, KEY_HEADER } from './endpoint.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of the request; null if it has none. @throws Refusal badRequest for one that cannot be a key */
export function keyOf(definition: Endpoint, request: Request): string | null {
  const key = request.headers.get(KEY_HEADER);
  if (key === null || !acceptsKey(definition)) return null;
  if (!KEY.test(key)) {
    throw new Refusal('badRequest', `${KEY_HEADER} has 1 to 255 characters of ASCII, without spaces`);
  }
  return key;
}

/** Ends the handler of a request that was carried out before. */
class AnsweredBefore extends Error {
  readonly answer: KeptAnswer | null;

  constructor(answer: KeptAnswer | null) {
    super('The request was carried out before');
    this.answer = answer;
  }
}

const POLL_MS = 100;
const MOST_POLLS = 100;

/** Waits for the answer of the first request, which has stored what it creates. Null if that takes long. */
async function answerOfFirst(store: Store, request: KeyedRequest): Promise<KeptAnswer | null> {
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const answer = await store.as(SYSTEM, (session) => keptAnswer(session, request));
    if (answer) return answer;
    await setTimeout(POLL_MS);
  }
  return null;
}

const answered = ({ status, text }: KeptAnswer): Response =>
  new Response(text, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });

/**
 * Carries out a request with a key once. The key is taken in the first transaction of the handler that does not only
 * prepare, together with what that creates, so either both are stored or none.
 * @param run the handler, with the store that takes the key; its answer and the text of it
 * @param report is told if the answer could not be kept
 * @returns the answer of the first request
 * @throws Refusal badRequest if the key came with another request; tooMany while the first one is not finished
 */
export async function once(
  store: Store,
  request: KeyedRequest,
  run: (store: Store) => Promise<{ response: Response; text: string }>,
  report: (error: unknown) => void,
): Promise<Response> {
  // What the first request prepared may be used up: a file that is no tape is deleted.
  const before = await store.as(SYSTEM, (session) => keptAnswer(session, request));
  if (before) return answered(before);
  let isTaken = false;
  const keyed: Store = {
    ...store,
    as: async (actor, work, options = {}) => {
      const takes = !isTaken && actor.kind === 'user' && !options.isPreparation;
      const result = await store.as(
        actor,
        async (session) => {
          if (takes) {
            const taken = await takeKey(session, request);
            if (taken !== 'taken') throw new AnsweredBefore(taken);
          }
          return work(session);
        },
        { ...options, isKeyed: true },
      );
      if (takes && !options.rollback) isTaken = true;
      return result;
    },
  };
  try {
    const { response, text } = await run(keyed);
    if (isTaken) {
      const answer = { status: response.status, text };
      // What was created is stored: without its answer, the key says that it was carried out.
      await store.as(SYSTEM, (session) => keepAnswer(session, request, answer)).catch(report);
    }
    return response;
  } catch (error) {
    // Only a refusal says that nothing was created. After any other error the key stays taken.
    if (isTaken && isRefusal(error)) await store.as(SYSTEM, (session) => releaseKey(session, request));
    if (!(error instanceof AnsweredBefore)) throw error;
    const answer = error.answer ?? (await answerOfFirst(store, request));
    if (!answer) {
      throw new Refusal('tooMany', `The first request with this ${KEY_HEADER} is not finished. Send it again later`, {
        retryAfterSeconds: 1,
      });
    }
    return answered(answer);
  }
}
