import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@tapeline/demonstration/random.ts';
import { Caller, type Target } from '../client/caller.ts';
import { ACCESS_REPLAYS } from './access-replays.ts';
import { FILE_REPLAYS } from './file-replays.ts';
import { bodyProblemOf, problemOf } from './judge.ts';
import { type KnownIds, type MutatedRequest, mutatedRequest, type OpenApi } from './mutations.ts';
import { REQUEST_REPLAYS } from './request-replays.ts';
import { SIGN_IN_REPLAYS } from './sign-in-replays.ts';
import type { AttackTarget, Stage } from './stage.ts';

const REPLAYS = [...ACCESS_REPLAYS, ...SIGN_IN_REPLAYS, ...REQUEST_REPLAYS, ...FILE_REPLAYS];

export interface AttackSettings {
  readonly seed: string;
  readonly requests: number;
  /** Whether documents of the product can be changed and removed. If false, unsafe calls never use IDs that exist. */
  readonly mayHarm: boolean;
  /** Whether to run attacks that wait for the product's timeouts. */
  readonly isPatient: boolean;
  readonly say?: (line: string) => void;
}

/** An attack that the product did not withstand, with what is needed to repeat it. */
export interface Finding {
  readonly name: string;
  readonly what: string;
}

export interface AttackResult {
  readonly passed: number;
  readonly findings: readonly Finding[];
}

/**
 * Number of concurrent requests: enough to find interference between calls, but few enough to identify the one that
 * broke something.
 */
const AT_ONCE = 4;
const REQUEST_TIMEOUT_MS = 90_000;
const LISTS = ['loanTape', 'assetsETLs', 'transactions', 'companies', 'borrowingBase', 'users', 'funds', 'assets'];

/** Attacks a running product: first every known attack, then the given number of mutated requests. */
export async function attack(
  target: AttackTarget,
  { seed, requests, mayHarm, isPatient, say = () => {} }: AttackSettings,
): Promise<AttackResult> {
  const [manager, borrower, stranger] = [
    await Caller.signedIn(target, 'manager@tapeline.test'),
    await Caller.signedIn(target, 'borrower@tapeline.test'),
    await Caller.signedIn(target, 'manager2@tapeline.test'),
  ];
  // The product of the tests serves them meanwhile.
  const maxWaitMs = isPatient ? 200 : 5_000;
  const stage: Stage = { target, manager, borrower, stranger, maxWaitMs };
  const findings: Finding[] = [];
  let passed = 0;
  const note = (name: string, what: string | null): void => {
    if (what === null) passed += 1;
    else {
      findings.push({ name, what });
      say(`FAILED  ${name}: ${what}`);
    }
  };
  for (const replay of REPLAYS) {
    if ((replay.isSlow && !isPatient) || (replay.isHarmful && !mayHarm)) continue;
    const what = await replay.run(stage).then(
      () => null,
      (error: Error) => error.message,
    );
    note(replay.name, what ?? (await aliveProblem(target)));
    if (what === null) say(`passed ${replay.name}`);
  }
  await attackAtRandom(stage, { seed, requests, mayHarm }, note, say);
  return { passed, findings };
}

async function attackAtRandom(
  { target, manager, borrower, stranger }: Stage,
  { seed, requests, mayHarm }: Omit<AttackSettings, 'say' | 'isPatient'>,
  note: (name: string, what: string | null) => void,
  say: (line: string) => void,
): Promise<void> {
  const document = JSON.parse((await manager.call('GET', '/openapi.json')).text) as OpenApi;
  const own = await idsOf(manager);
  const foreign = await idsOf(stranger);
  const others = await foreignWords(stranger);
  const readable = [...own, ...foreign];
  const ids: KnownIds = { readable, writable: mayHarm ? readable : [] };
  const callers = [manager, manager, borrower];
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < requests) {
        const index = next;
        next += 1;
        // Each request has its own seed, so it can be repeated without the ones before it.
        const random = createRandom(`${seed} ${index}`);
        const request = mutatedRequest(document, random, ids);
        const caller = callers[random.whole(0, callers.length - 1)]!;
        const name = `request ${index} (${request.method} ${request.path.slice(0, 120)})`;
        note(name, await sendOne(caller, request, others));
        if (index > 0 && index % 500 === 0) say(`${index} of ${requests} requests`);
      }
    }),
  );
  note('the product after all requests', await aliveProblem(target));
}

async function sendOne(caller: Caller, request: MutatedRequest, foreign: readonly string[]): Promise<string | null> {
  const { method, path, headers, body } = request;
  try {
    const answer = await caller.call(method, path, {
      headers,
      timeoutMs: REQUEST_TIMEOUT_MS,
      ...(body === undefined ? {} : { body }),
    });
    return problemOf(answer, foreign) ?? (method === 'HEAD' ? null : bodyProblemOf(answer));
  } catch (error) {
    const { name, message } = error as Error;
    // Requests that fetch itself rejects never reached the product.
    if (error instanceof TypeError && /header|Invalid|method|Failed to parse URL/i.test(message)) return null;
    return `no answer: ${name} ${message}`;
  }
}

/** IDs of the first documents in each list that the caller can see. */
async function idsOf(caller: Caller): Promise<string[]> {
  const ids = await Promise.all(
    LISTS.map(async (list) => {
      const answer = await caller.call('GET', `/crud/${list}?limit=5`);
      return answer.status === 200 ? (JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id) : [];
    }),
  );
  return ids.flat();
}

/** Words that appear only in the stranger's own responses. */
async function foreignWords(stranger: Caller): Promise<string[]> {
  const companies = await stranger.list<{ id: string; entity?: { name?: string } }>('/crud/companies?limit=5');
  return companies.flatMap(({ entity }) => (entity?.name ? [entity.name] : []));
}

/** Null if the product still responds promptly. */
async function aliveProblem({ url }: Target): Promise<string | null> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const isAlive = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isAlive) return attempt === 0 ? null : 'the web server was unavailable for a while';
    await sleep(200);
  }
  return 'the web server no longer responds';
}
