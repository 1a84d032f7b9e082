import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database without tables, with an owner role and the program's role. Neither role bypasses policies. */
export interface EmptyDatabase {
  readonly databaseUrl: string;
  readonly databaseAdminUrl: string;
  /** A superuser's connection, which sees everything. */
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  const server = (inject as (key: string) => string)('postgresAdminUrl');
  const name = `tapeline_restored_${randomBytes(6).toString('hex')}`;
  const [owner, app] = [`${name}_owner`, `${name}_app`];
  const urlOf = (user: string | null): string => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    if (user) {
      url.username = user;
      url.password = 'only for tests';
    }
    return url.href;
  };
  const onServer = async (statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await onServer([
    `create role ${owner} login createdb nosuperuser nobypassrls password 'only for tests'`,
    `create role ${app} login nosuperuser nobypassrls password 'only for tests' in role tapeline_app`,
    `create database ${name} owner ${owner}`,
  ]);
  const admin = new pg.Client({ connectionString: urlOf(null) });
  admin.on('error', () => {});
  await admin.connect();
  return {
    databaseUrl: urlOf(app),
    databaseAdminUrl: urlOf(owner),
    query: async <Row>(sql: string, values?: unknown[]) => (await admin.query(sql, values)).rows as Row[],
    async close() {
      await admin.end();
      await onServer([
        `drop database if exists ${name} with (force)`,
        `drop role if exists ${app}`,
        `drop role if exists ${owner}`,
      ]);
    },
  };
}
