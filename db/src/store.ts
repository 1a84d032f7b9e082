import { OptimisticLockError, type SessionContext } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor, SystemActor } from '@tapeline/domain/people/actor.ts';
import { CompiledQuery } from 'kysely';
import { ENTITIES } from './entities/index.ts';
import type { Environment } from './environment.ts';
import { HistoryWriter } from './history-writer.ts';
import { APP_ROLE } from './migrations/001-tables.ts';

/** The call that a change came with, for the history. */
export interface CallOrigin {
  readonly agent?: string | null;
  readonly ip?: string | null;
  readonly locale?: string | null;
}

/** One database transaction in the sight of one actor. Operations take it as their first argument. */
export interface Session {
  readonly em: EntityManager;
  readonly actor: Actor;
  readonly origin: CallOrigin;
  /** The time of the call, one for the whole transaction. */
  readonly now: Date;
  /**
   * Plain SQL with `$1`-style bound values, in this transaction and sight. Instants, bigints and numerics come as text,
   * calendar dates as 'YYYY-MM-DD'.
   */
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface SessionOptions extends CallOrigin {
  readonly now?: Date;
  /** Runs everything and then takes it back: a dry run by the real path. */
  readonly rollback?: boolean;
}

export interface Store {
  /** Runs the work in one transaction with the actor's sight; commits, or takes all back when it throws. */
  as<Result>(actor: Actor, work: (session: Session) => Promise<Result>, options?: SessionOptions): Promise<Result>;
  /** Whether PostgreSQL answers and the tables are there. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The program itself, for workers, sign-in and seeding: sees everything. */
export const SYSTEM: SystemActor = { kind: 'system', name: 'Tapeline' };

export const systemActor = (name: string): SystemActor => ({ kind: 'system', name });

function sightOf(actor: Actor): Record<string, string> {
  if (actor.kind === 'system') return { 'tapeline.actor_type': 'system' };
  return {
    'tapeline.actor_type': actor.type,
    'tapeline.user_id': actor.userId,
    'tapeline.manager_id': actor.managerId ?? '',
    'tapeline.company_id': actor.companyId ?? '',
    'tapeline.lp_ids': actor.lpIds.join(','),
  };
}

/** A role that passes row level security by must step down to the program's own role in every transaction. */
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
    throw new Error(
      `DATABASE_URL connects as ${role.name}, which passes row level security by. ` +
        `Connect as a plain role that was granted ${APP_ROLE}, or grant it: GRANT ${APP_ROLE} TO "${role.name}"`,
    );
  }
  return APP_ROLE;
}

/** A fault of the database that a caller can understand, in words; null for all others. */
function refusalFor(error: unknown): Refusal | null {
  if (error instanceof OptimisticLockError) return staleRefusal();
  return null;
}

/** Another person changed the document meanwhile. */
export function staleRefusal(): Refusal {
  const message = 'Someone else changed this meanwhile. Reload it, and make your change again.';
  return new Refusal('badRequest', message, { flags: { version: 'is not the latest' } });
}

/** Opens the database. Throws where it cannot be reached, is not migrated, or would show everyone everything. */
export async function openStore(environment: Pick<Environment, 'databaseUrl' | 'databasePoolSize'>): Promise<Store> {
  const history = new HistoryWriter();
  const orm = new MikroORM({
    clientUrl: environment.databaseUrl,
    entities: [...ENTITIES],
    subscribers: [history],
    pool: { min: 0, max: environment.databasePoolSize },
    forceUtcTimezone: true,
    // Calendar dates and instants are UTC wherever the server stands.
    driverOptions: { options: '-c timezone=UTC' },
  });
  let role: string | undefined;
  try {
    role = await roleToTake(orm.em.fork() as EntityManager);
  } catch (error) {
    await orm.close(true);
    throw error;
  }

  return {
    async as(actor, work, options = {}) {
      const context: SessionContext = { variables: sightOf(actor), ...(role ? { role } : {}) };
      const em = orm.em.fork({ session: context }) as EntityManager;
      const session: Session = {
        em,
        actor,
        origin: options,
        now: options.now ?? new Date(),
        async query<Row>(sql: string, values: readonly unknown[] = []) {
          const answer = await em.getKysely<unknown>().executeQuery(CompiledQuery.raw(sql, [...values]));
          return answer.rows as Row[];
        },
      };
      history.attach(em, session);
      await em.begin();
      try {
        const result = await work(session);
        await em.flush();
        if (options.rollback) await em.rollback();
        else await em.commit();
        return result;
      } catch (error) {
        if (em.isInTransaction()) await em.rollback();
        throw refusalFor(error) ?? error;
      }
    },
    async ping() {
      await orm.em.fork().getConnection().execute('select 1 from loan_tapes limit 1');
    },
    async close() {
      await orm.close();
    },
  };
}
