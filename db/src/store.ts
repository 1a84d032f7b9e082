import type { SessionContext } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { readableCollections, readableHistory } from '@tapeline/domain/collections/collections.ts';
import { askedRefusal, isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor, SystemActor } from '@tapeline/domain/people/actor.ts';
import { databaseConnections, databaseWaiting, databaseWork } from '@tapeline/telemetry/metrics.ts';
import { currentTraceparent, inDetail } from '@tapeline/telemetry/traces.ts';
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { type Author, type CallOrigin, changedBy } from './changed-by.ts';
import { refusalFor } from './database-refusals.ts';
import { ENTITIES } from './entities/index.ts';
import type { StoredFile } from './entities/records.ts';
import type { Environment } from './environment.ts';
import { APP_ROLE } from './migrations/tenant-table.ts';
import { ACQUIRE_TIMEOUT_MS, guardPool, LONGEST_TRANSACTION_MS } from './pool-guard.ts';
import { askedAtOnce, KeepingClient, keptText, type Row, type Statement } from './read-batch.ts';
import { type ActorSettings, batchReader, type ReadSession, shapesOf, textFor } from './read-session.ts';
import { BYPASSES_POLICIES } from './service-problems.ts';
import { unchangedDocuments } from './unchanged-documents.ts';

/** What a transaction did that something else waits for. */
export type StoreEvent = 'mailQueued' | 'noticesDue';

/** One database transaction with the visibility of one actor. Operations take it as their first argument. */
export interface Session extends ReadSession, Author {
  readonly em: EntityManager;
  /** Tells the listeners of the store after the commit, and only then. */
  announce(event: StoreEvent): void;
  /**
   * Says what is possible but looks like a mistake: a NAV of a day in the future. A screen asks the person before it is
   * stored, an import shows it, and a call answers it with the document.
   */
  warn(warning: Warning): void;
  /** The request has a key of its own, so it is not one that was sent twice by mistake. */
  readonly isKeyed: boolean;
  /**
   * Makes sure that a registered file has arrived and is what it was declared as.
   * @throws Refusal badRequest if it is not
   */
  completeUpload(file: StoredFile): Promise<StoredFile>;
}

/** What looks like a mistake in a document, or in the form as a whole (null). */
export interface Warning {
  readonly documentId: string | null;
  /** A sentence with the values, so that another value is another warning. */
  readonly message: string;
}

export interface SessionOptions extends CallOrigin {
  readonly now?: Date;
  /** What a person has confirmed. If given, other warnings are asked about and nothing is stored. */
  readonly confirmed?: readonly string[];
  readonly isKeyed?: boolean;
  /**
   * Whether the work only prepares what another transaction of the request stores. It does not take the request's
   * `Idempotency-Key`, so that a request that fails in between can be sent again.
   */
  readonly isPreparation?: boolean;
  /** Takes the warnings of the work. */
  readonly warnings?: Warning[];
  /** Runs everything and then rolls it back: a dry run of the real code path. */
  readonly rollback?: boolean;
}

export interface Store {
  /** Runs the work in one transaction with the actor's visibility. Commits, or rolls back if the work throws. */
  as<Result>(actor: Actor, work: (session: Session) => Promise<Result>, options?: SessionOptions): Promise<Result>;
  /**
   * Reads with the actor's visibility and cannot write. A query takes one round trip, while `as` takes three more. What
   * is asked at once (`Promise.all`) is one round trip and one transaction: if a statement of it fails, all of it does.
   */
  read<Result>(actor: Actor, work: (session: ReadSession) => Promise<Result>): Promise<Result>;
  /** Calls the listener after each commit of a transaction that announced the event. */
  on(event: StoreEvent, listener: () => void): void;
  /** How files are completed that were sent straight to the object storage. Set by the object storage of the store. */
  completeUploadsWith(complete: (session: Session, file: StoredFile) => Promise<StoredFile>): void;
  /** Whether PostgreSQL responds and the tables exist. */
  ping(): Promise<void>;
  /** Whether this process gets no connection although PostgreSQL accepts one, and whether it has lost all: `PoolGuard`. */
  isStuck(): boolean;
  isLost(): boolean;
  close(): Promise<void>;
}

/** The program itself, for workers, sign-in and seeding: it can see everything. */
export const SYSTEM: SystemActor = { kind: 'system', name: 'Tapeline' };

export const systemActor = (name: string): SystemActor => ({ kind: 'system', name });

/**
 * The settings that the row-level policies read. An admin who acts for a manager sees what the manager's own users see.
 */
export function settingsOf(actor: Actor): ActorSettings {
  if (actor.kind === 'system') return { 'tapeline.actor_type': 'system' };
  return {
    'tapeline.actor_type': actor.type === 'admin' && actor.managerId ? 'manager' : actor.type,
    'tapeline.user_id': actor.userId,
    'tapeline.manager_id': actor.managerId ?? '',
    'tapeline.company_id': actor.companyId ?? '',
    'tapeline.lp_ids': actor.lpIds.join(','),
    'tapeline.level': String(actor.level),
    // Administrators also give the permissions that only an installation's own programs check.
    'tapeline.permissions': [...actor.permissions, ...(actor.type === 'admin' ? ['*'] : [])].join(','),
    'tapeline.blocked': actor.blockedDocuments.join(','),
    'tapeline.allowed': actor.allowedDocuments.join(','),
    'tapeline.history': readableHistory(actor).join(','),
    'tapeline.readable': readableCollections(actor).join(','),
    'tapeline.within_funds': actor.within?.funds.join(',') ?? '',
    'tapeline.within_investors': actor.within?.investors.join(',') ?? '',
  };
}

/**
 * SQL of the documents that are blocked for the actor, also while a part runs as the program: a message to the actor
 * names no investor of these.
 */
export const BLOCKED_FOR_ACTOR = `string_to_array(coalesce(nullif(current_setting('tapeline.blocked', true), ''),
  current_setting('tapeline.blocked_for_actor', true), ''), ',')`;

/** What narrows the actor's sight beside its type. */
const NARROWING = ['tapeline.blocked', 'tapeline.within_funds', 'tapeline.within_investors'] as const;

/**
 * Runs a part of the actor's transaction with the visibility of the program itself: for what follows from a change
 * although the actor cannot see it, such as who is told, or all draws that a limit counts. No document of it may be
 * returned to the actor.
 */
export async function asProgram<Result>(session: Session, work: () => Promise<Result>): Promise<Result> {
  const names = ['tapeline.actor_type', ...NARROWING];
  const become = (values: readonly string[]) =>
    session.query(
      `select set_config('tapeline.blocked_for_actor', $1, true),
         (select count(set_config(name, value, true)) from unnest($2::text[], $3::text[]) as setting (name, value))`,
      [session.actor.kind === 'user' ? session.actor.blockedDocuments.join(',') : '', names, values],
    );
  const own = await session.query<{ value: string }>(
    `select coalesce(current_setting(name, true), '') as value from unnest($1::text[]) with ordinality as setting (name, place)
     order by place`,
    [names],
  );
  await become(['system', ...NARROWING.map(() => '')]);
  try {
    return await work();
  } finally {
    // If a statement failed, the transaction is over, and this fails too.
    await become(own.map(({ value }) => value)).catch(() => undefined);
  }
}

/** A role that bypasses row-level security must switch to the program's own role in every transaction. */
async function roleToTake(em: EntityManager): Promise<string | undefined> {
  const [role] = await em.execute<{ name: string; passes: boolean; owns: boolean; may: boolean }[]>(
    `select current_user as name, rolsuper or rolbypassrls as passes,
       pg_has_role(current_user, (select relowner from pg_class where oid = to_regclass('loan_tapes')), 'USAGE') as owns,
       pg_has_role(current_user, ?, 'MEMBER') as may
     from pg_roles where rolname = current_user`,
    [APP_ROLE],
  );
  if (!role) throw new Error('PostgreSQL does not know the role of this connection');
  if (!role.passes && !role.owns) return undefined;
  if (!role.may) {
    const problem =
      `DATABASE_URL connects as ${role.name}, which bypasses row-level security. ` +
      `Connect as an ordinary role that has been granted ${APP_ROLE}, or grant it: GRANT ${APP_ROLE} TO "${role.name}"`;
    throw Object.assign(new Error(problem), { code: BYPASSES_POLICIES });
  }
  return APP_ROLE;
}

/** @throws Refusal badRequest with all warnings as `questions`, if nobody has confirmed one of them */
function requireConfirmed(warnings: readonly Warning[], confirmed: readonly string[]): void {
  const questions = [...new Set(warnings.map(({ message }) => message))];
  if (questions.some((each) => !confirmed.includes(each))) throw askedRefusal(questions);
}

/** Measures work on the database. A refusal is a result like any other; the caller asked for something impossible. */
async function measured<Result>(
  work: 'read' | 'transaction' | 'statement',
  run: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let outcome = 'completed';
  try {
    return await inDetail(`database ${work}`, { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, run);
  } catch (error) {
    outcome = isRefusal(error) ? 'refused' : 'failed';
    throw error;
  } finally {
    databaseWork.record((performance.now() - startedAt) / 1000, { work, outcome });
  }
}

/**
 * What every connection sets for itself, whatever the server's configuration is; as statements, because poolers refuse
 * them as options of the connection. PostgreSQL's just-in-time compiler, on by default, takes far longer for the row-level policies than it saves. A
 * transaction that its process has left open gives its locks back.
 */
const SESSION_SETTINGS = `set jit = off; set idle_in_transaction_session_timeout = ${LONGEST_TRANSACTION_MS}`;

const KEEP_ALIVE_MS = 30_000;

const CONNECT_TIMEOUT_MS = 5_000;

/** A new connection reads the policies and plans every statement again, which a page waits for. */
const IDLE_MS = 2 * 60_000;

/**
 * How many of the backends work, asked on a connection outside the pool. A role sees the state of its own backends. Behind
 * a pooler, which has numbers of its own for them, they count as at work.
 * @throws as `pg` if PostgreSQL does not accept the connection
 */
async function workingAmong(connectionString: string, backends: readonly number[]): Promise<number> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ count: number; own: number }>(
      `select count(*)::integer as count, pg_backend_pid() as own from pg_stat_activity where pid = any ($1) and state = 'active'`,
      [backends],
    );
    const isOwn = 'processID' in client && client.processID === rows[0]?.own;
    return isOwn ? (rows[0]?.count ?? 0) : backends.length;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Opens the database. @throws if it is unreachable, is not migrated, or would bypass row-level security */
export async function openStore(environment: Pick<Environment, 'databaseUrl' | 'databasePoolSize'>): Promise<Store> {
  const orm = new MikroORM({
    clientUrl: environment.databaseUrl,
    entities: [...ENTITIES],
    subscribers: [unchangedDocuments],
    pool: { min: 0, max: environment.databasePoolSize, idleTimeoutMillis: IDLE_MS },
    // A missing database is reported, not created.
    ensureDatabase: false,
    forceUtcTimezone: true,
    driverOptions: {
      Client: KeepingClient,
      // The ORM itself reads neither sslmode nor any other parameter of the address.
      connectionString: environment.databaseUrl,
      options: '-c timezone=UTC',
      onConnect: (client: pg.ClientBase) => client.query(SESSION_SETTINGS),
      // A firewall or a failed machine can drop a connection without telling either side.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    },
  });
  let role: string | undefined;
  try {
    role = await roleToTake(orm.em.fork() as EntityManager);
  } catch (error) {
    await orm.close(true);
    throw error;
  }

  const shapeOf = shapesOf(orm);
  const listeners: Record<StoreEvent, (() => void)[]> = {
    mailQueued: [],
    noticesDue: [],
  };
  let complete: Parameters<Store['completeUploadsWith']>[0] = async (_session, file) => file;
  const pool = await orm.em.getConnection().getNativeClient();
  const guard = guardPool(pool, (backends) => workingAmong(environment.databaseUrl, backends));
  const readBatch = batchReader(pool, role);
  const ends = [
    guard.close,
    databaseConnections.observe(() => [
      [pool.totalCount - pool.idleCount, { state: 'used' }],
      [pool.idleCount, { state: 'idle' }],
    ]),
    databaseWaiting.observe(() => [[pool.waitingCount, {}]]),
  ];

  return {
    read(actor, work) {
      const settings = settingsOf(actor);
      const ask = askedAtOnce((statements) => measured('read', () => readBatch(settings, statements)));
      return work({
        actor,
        now: new Date(),
        shapeOf,
        async queries<Results>(statements: readonly Statement[]) {
          return (await ask(statements)) as Results;
        },
        async query<Result>(sql: string, values: readonly unknown[] = [], { kept = false } = {}) {
          const [rows] = await ask([{ sql, values, kept }]);
          return rows as Result[];
        },
      });
    },
    async as(actor, work, options = {}) {
      const now = options.now ?? new Date();
      const author = JSON.stringify(changedBy({ actor, origin: options, now }));
      const traceparent = currentTraceparent();
      const settings = settingsOf(actor);
      const variables = {
        ...settings,
        'tapeline.changed_by': author,
        ...(traceparent ? { 'tapeline.traceparent': traceparent } : {}),
      };
      const context: SessionContext = { variables, ...(role ? { role } : {}) };
      const em = orm.em.fork({ session: context }) as EntityManager;
      const events = new Set<StoreEvent>();
      const { warnings = [], confirmed } = options;
      const session: Session = {
        em,
        warn: (warning) => void warnings.push(warning),
        isKeyed: options.isKeyed ?? false,
        announce: (event) => void events.add(event),
        completeUpload: (file) => complete(session, file),
        actor,
        origin: options,
        now,
        shapeOf,
        async queries<Results>(statements: readonly Statement[]) {
          const answers: Row[][] = [];
          for (const { sql, values, kept = false } of statements)
            answers.push(await session.query(sql, values, { kept }));
          return answers as Results;
        },
        async query<Row>(sql: string, values: readonly unknown[] = [], { kept = false } = {}) {
          const statement = CompiledQuery.raw(kept ? keptText(textFor(settings, sql)) : sql, [...values]);
          const answer = await measured('statement', () => em.getKysely<unknown>().executeQuery(statement));
          return answer.rows as Row[];
        },
      };
      return measured('transaction', async () => {
        await em.begin();
        try {
          const result = await work(session);
          await em.flush();
          if (options.rollback) {
            await em.rollback();
            return result;
          }
          if (confirmed) requireConfirmed(warnings, confirmed);
          await em.commit();
          for (const event of events) for (const listener of listeners[event]) listener();
          return result;
        } catch (error) {
          // On a lost connection ROLLBACK fails, and PostgreSQL has already done it.
          if (em.isInTransaction()) await em.rollback().catch(() => undefined);
          throw refusalFor(error) ?? error;
        }
      });
    },
    on: (event, listener) => void listeners[event].push(listener),
    completeUploadsWith(given) {
      complete = given;
    },
    async ping() {
      await orm.em.fork().getConnection().execute('select 1 from loan_tapes limit 1');
    },
    isStuck: guard.isStuck,
    isLost: guard.isLost,
    async close() {
      for (const end of ends) end();
      await orm.close();
    },
  };
}
