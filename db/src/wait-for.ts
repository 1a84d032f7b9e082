import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { compareMigrations, type RanMigration, versionProblem } from './migrations/version.ts';
import { isWrongForGood, postgresProblem } from './service-problems.ts';
import { CannotStart } from './start-up.ts';
import { openStore, type Store, systemActor } from './store.ts';

interface Waiting {
  /** "PostgreSQL". */
  readonly service: string;
  readonly seconds: number;
  /** What is wrong and how to correct it, in one sentence. */
  explain(error: unknown): string;
  /** Whether waiting cannot help. Default: a wrong password, a missing right or a certificate that is not trusted. */
  isFinal?(error: unknown): boolean;
  readonly log: { info(fields: object, message: string): void };
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** A service that a process needs did not become available. */
export class ServiceUnavailable extends CannotStart {}

/**
 * Tries until it works, because services of one installation start in any order. Each new reason is logged once.
 * @throws ServiceUnavailable after the time, or at once if waiting cannot help
 */
export async function waitFor<Result>(
  { service, seconds, explain, isFinal = isWrongForGood, log }: Waiting,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const until = performance.now() + seconds * 1000;
  let said = '';
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const result = await attempt();
      if (said) log.info({ service }, `${service} is available`);
      return result;
    } catch (error) {
      const reason = explain(error);
      if (isFinal(error)) throw new ServiceUnavailable(reason, { cause: error });
      if (performance.now() + waitMs > until) {
        throw new ServiceUnavailable(`${reason} (Waited ${seconds} seconds, STARTUP_WAIT_SECONDS.)`, { cause: error });
      }
      if (reason !== said) log.info({ service, reason }, `waiting for ${service}`);
      said = reason;
      await sleep(waitMs);
    }
  }
}

const STARTING = systemActor('Start');

/** The tables are not those of this version. */
class OtherVersion extends Error {
  /** Whether someone may still migrate them. */
  readonly isEarlier: boolean;

  constructor(problem: string, isEarlier: boolean) {
    super(problem);
    this.isEarlier = isEarlier;
  }
}

/** @throws OtherVersion unless the tables are those of this version */
async function requireOwnTables(store: Store): Promise<void> {
  const [right] = await store.as(STARTING, ({ query }) =>
    query<{ readable: boolean }>(`select has_table_privilege('mikro_orm_migrations', 'select') as readable`),
  );
  // Early versions did not let the program read it.
  if (!right?.readable) throw new OtherVersion('The tables are not up to date. Run `npm run migrate`.', true);
  const rows = await store.as(STARTING, ({ query }) =>
    query<RanMigration>(`select name, to_jsonb(m) ->> 'checksum' as checksum from mikro_orm_migrations m`),
  );
  const difference = compareMigrations(rows);
  const problem = versionProblem(difference);
  const { later, folded, changed } = difference;
  if (problem) throw new OtherVersion(problem, [...later, ...folded, ...changed].length === 0);
}

/** Opens the store once PostgreSQL answers and has the tables of this version. @throws ServiceUnavailable as `waitFor` */
export function openStoreWhenReady(
  environment: Pick<Environment, 'databaseUrl' | 'databasePoolSize' | 'startupWaitSeconds'>,
  log: Waiting['log'],
): Promise<Store> {
  const { databaseUrl, startupWaitSeconds: seconds } = environment;
  const explain = (error: unknown) =>
    error instanceof OtherVersion ? error.message : postgresProblem(error, databaseUrl, 'DATABASE_URL');
  const isFinal = (error: unknown) => (error instanceof OtherVersion ? !error.isEarlier : isWrongForGood(error));
  return waitFor({ service: 'PostgreSQL', seconds, explain, isFinal, log }, async () => {
    const store = await openStore(environment);
    try {
      await store.ping();
      await requireOwnTables(store);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  });
}
