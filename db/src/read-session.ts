import { ArrayType, BigIntType, type EntityName } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import type { Pool, PoolClient } from 'pg';
import { PLANNED_FOR_VALUES, type Row, runBatch, type Statement } from './read-batch.ts';

/** Reads with the visibility of one actor. The results are plain data: they are not managed and cannot be saved. */
export interface ReadSession {
  readonly actor: Actor;
  /** The time of the call. */
  readonly now: Date;
  /**
   * Plain SQL with `$1`-style bound values, under the actor's row-level security. Instants, bigints and numerics are
   * returned as text, calendar dates as 'YYYY-MM-DD'. For `kept`, see `Statement`.
   */
  query<Result = Row>(sql: string, values?: readonly unknown[], options?: Pick<Statement, 'kept'>): Promise<Result[]>;
  /** Runs several statements, each as for `query`, and returns the rows of each. One round trip if only reading. */
  queries<Results extends readonly object[][] = Row[][]>(statements: readonly Statement[]): Promise<Results>;
  shapeOf<Entity extends object>(entity: EntityName<Entity>): DocumentShape<Entity>;
}

/** An entity's table for reading documents without managing them. */
export interface DocumentShape<Entity> {
  readonly table: string;
  /** The select list from `table t`: every property that is not lazy, under its own name. */
  readonly columns: string;
  /** Converts the selected rows to documents. */
  read(rows: Row[]): Entity[];
}

/**
 * The documents of an entity that match a condition.
 * @param tail the SQL that follows `from <table> t`
 * @param options as for `query`
 */
export async function findDocuments<Entity extends object>(
  session: ReadSession,
  entity: EntityName<Entity>,
  tail: string,
  values: readonly unknown[] = [],
  options: Pick<Statement, 'kept'> = {},
): Promise<Entity[]> {
  const shape = session.shapeOf(entity);
  return shape.read(await session.query(`select ${shape.columns} from ${shape.table} t ${tail}`, values, options));
}

/** The shapes of the entities, each computed once. */
export function shapesOf(orm: MikroORM): <Entity extends object>(entity: EntityName<Entity>) => DocumentShape<Entity> {
  const shapes = new Map<unknown, DocumentShape<unknown>>();
  return <Entity extends object>(entity: EntityName<Entity>) => {
    let shape = shapes.get(entity);
    if (!shape) {
      shape = shapeFor(orm, entity);
      shapes.set(entity, shape);
    }
    return shape as DocumentShape<Entity>;
  };
}

function shapeFor<Entity extends object>(orm: MikroORM, entity: EntityName<Entity>): DocumentShape<Entity> {
  const platform = orm.em.getPlatform();
  const { tableName, props } = orm.getMetadata(entity);
  const read = props.filter(({ lazy, persist }) => !lazy && persist !== false);
  // The driver already converts JSON, arrays, text and numbers. It returns instants, bigints and arrays of a domain
  // type as text.
  const converted = read.flatMap((prop): [name: string, convert: (value: string) => unknown][] => {
    const { customType } = prop;
    if (prop.runtimeType === 'Date') return [[prop.name, (value) => platform.parseDate(value)]];
    if (customType instanceof ArrayType) return [[prop.name, (value) => customType.convertToJSValue(value, platform)]];
    if (customType instanceof BigIntType) return [[prop.name, (value) => customType.convertToJSValue(value)]];
    return [];
  });
  return {
    table: tableName,
    columns: read.map(({ name, fieldNames }) => `t."${fieldNames[0]}" as "${name}"`).join(', '),
    read(rows) {
      for (const [name, convert] of converted) {
        for (const row of rows) {
          const value = row[name];
          if (typeof value === 'string') row[name] = convert(value);
        }
      }
      return rows as Entity[];
    },
  };
}

/** Session variables that identify the actor to row-level security, in the order in which they are bound. */
const SETTINGS = [
  'tapeline.actor_type',
  'tapeline.user_id',
  'tapeline.manager_id',
  'tapeline.company_id',
  'tapeline.lp_ids',
  'tapeline.level',
  'tapeline.permissions',
  'tapeline.blocked',
  'tapeline.allowed',
  'tapeline.history',
  'tapeline.readable',
  'tapeline.within_funds',
  'tapeline.within_investors',
] as const;

/** The actor, as the policies read it. */
export type ActorSettings = Partial<Record<(typeof SETTINGS)[number], string>>;

/**
 * The text of a statement that is kept. It is planned for the rows that its first reader sees, so those who see everything
 * have plans of their own.
 */
export function textFor(settings: ActorSettings, sql: string): string {
  const seesAll = settings['tapeline.actor_type'] === 'admin' || settings['tapeline.actor_type'] === 'system';
  return seesAll ? `/* all */ ${sql}` : sql;
}

/**
 * Reads on connections of the pool. Each round trip sets the actor, switches to the role that row-level security
 * applies to, and forbids writes. All of this is local to the single transaction of the round trip.
 * @param role the role to switch to; undefined if row-level security already applies to the pool's own role
 */
export function batchReader(pool: Pool, role: string | undefined) {
  const set = [
    `set_config('transaction_read_only', 'on', true)`,
    `set_config('plan_cache_mode', 'force_generic_plan', true)`,
    ...SETTINGS.map((name, index) => `set_config('${name}', $${index + 1}, true)`),
    ...(role === undefined ? [] : [`set_config('role', $${SETTINGS.length + 1}, true)`]),
  ];
  const sql = `select ${set.join(', ')}`;
  return async (settings: ActorSettings, statements: readonly Statement[]): Promise<Row[][]> => {
    const values = [...SETTINGS.map((name) => settings[name] ?? ''), ...(role === undefined ? [] : [role])];
    const asked = statements.map((each, index) => ({ ...each, sql: textFor(settings, each.sql), index }));
    // Prepared statements are planned once. They run first, and the others are planned for their values.
    const kept = asked.filter((each) => each.kept);
    const others = asked.filter((each) => !each.kept);
    const planning = others.length > 0 ? [PLANNED_FOR_VALUES] : [];
    const client: PoolClient = await pool.connect();
    try {
      const [, ...answers] = await runBatch(client, [{ sql, values, kept: true }, ...kept, ...planning, ...others]);
      client.release();
      const rows: Row[][] = [];
      for (const [at, { index }] of kept.entries()) rows[index] = answers[at]!;
      for (const [at, { index }] of others.entries()) rows[index] = answers[kept.length + planning.length + at]!;
      return rows;
    } catch (error) {
      // It is unknown which statements of the batch the connection has prepared, so the connection is not reused.
      client.release(true);
      throw error;
    }
  };
}
