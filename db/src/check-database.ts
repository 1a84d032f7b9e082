import pg from 'pg';
import type { Environment } from './environment.ts';
import { schemaProblem, storedMigrations } from './migrate.ts';
import { APP_ROLE } from './migrations/tenant-table.ts';
import { compareMigrations, NO_TABLES, recognize, versionProblem } from './migrations/version.ts';
import { compareSchemas } from './schema/compare-schemas.ts';
import type { Execute } from './schema/describe-schema.ts';
import { describeBoth } from './schema/fresh-schema.ts';
import { postgresProblem } from './service-problems.ts';

type Addresses = Pick<Environment, 'databaseUrl' | 'databaseAdminUrl'>;

const CONNECT_MS = 5_000;

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What DATABASE_URL connects to. */
export interface ServerFacts {
  /** The major version of PostgreSQL. */
  readonly version: number;
  /** Connections that roles other than superusers can open at once, all programs together. */
  readonly connections: number;
  readonly role: { readonly name: string; readonly isSuperuser: boolean; readonly isOwner: boolean };
}

export interface DatabaseCheck {
  /** One sentence for each problem. */
  readonly problems: string[];
  /** Null if DATABASE_URL cannot connect. */
  readonly server: ServerFacts | null;
  /** The time of the database; null if it did not answer. */
  readonly now: Date | null;
}

/**
 * Whether the program can use the database: both roles, their rights, and the version of the tables. Changes nothing.
 * @param options.tables whether missing tables are a problem
 */
export async function checkDatabase(
  { databaseUrl, databaseAdminUrl }: Addresses,
  { tables = true }: { tables?: boolean } = {},
): Promise<DatabaseCheck> {
  const problems: string[] = [];
  let now: Date | null = null;
  let server: ServerFacts | null = null;
  const isOneRole = databaseUrl === databaseAdminUrl;

  async function checkOwner(): Promise<void> {
    const setting = isOneRole ? 'DATABASE_URL' : 'DATABASE_ADMIN_URL';
    try {
      await connected(databaseAdminUrl, async (client) => {
        problems.push(...(await roleProblems(client)), ...(tables ? await migrationProblems(client) : []));
      });
    } catch (error) {
      problems.push(postgresProblem(error, databaseAdminUrl, setting));
    }
  }

  async function checkProgram(): Promise<void> {
    try {
      await connected(databaseUrl, async (client) => {
        const { rows } = await client.query<
          ServerFacts['role'] & Omit<ServerFacts, 'role'> & { now: Date; passes: boolean; may: boolean }
        >(
          `select clock_timestamp() as now, rolsuper or rolbypassrls as passes, rolname as name, rolsuper as "isSuperuser",
             coalesce((select relowner = pg_roles.oid from pg_class where oid = to_regclass('loan_tapes')), false) as "isOwner",
             current_setting('server_version_num')::integer / 10000 as version,
             current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
               - coalesce(current_setting('reserved_connections', true)::integer, 0) as connections,
             to_regrole($1) is not null and pg_has_role(current_user, to_regrole($1), 'MEMBER') as may
           from pg_roles where rolname = current_user`,
          [APP_ROLE],
        );
        const [role] = rows;
        now = role?.now ?? null;
        if (role) {
          const { version, connections, name, isSuperuser, isOwner } = role;
          server = { version, connections, role: { name, isSuperuser, isOwner } };
        }
        if (role?.passes && !role.may) {
          problems.push(
            `DATABASE_URL connects as ${role.name}, which bypasses row-level security. Connect as ${APP_ROLE} instead.`,
          );
        }
        const { rows: found } = await client.query<{ exists: boolean; readable: boolean | null }>(
          `select to_regclass('loan_tapes') is not null as exists,
             has_table_privilege(to_regclass('loan_tapes'), 'select') as readable`,
        );
        if (found[0]?.exists && !found[0].readable) {
          problems.push(
            postgresProblem(Object.assign(new Error('no rights'), { code: '42501' }), databaseUrl, 'DATABASE_URL'),
          );
        }
      });
    } catch (error) {
      problems.push(postgresProblem(error, databaseUrl, 'DATABASE_URL'));
    }
  }

  await checkProgram();
  await checkOwner();
  return { problems: [...new Set(problems)], now, server };
}

async function roleProblems(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean; mayCreate: boolean; name: string; mayCreateTables: boolean }>(
    `select to_regrole($1) is not null as exists, rolsuper or rolcreaterole as "mayCreate", rolname as name,
       has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create') as "mayCreateTables"
     from pg_roles where rolname = current_user`,
    [APP_ROLE],
  );
  const [role] = rows;
  if (!role) return [];
  const problems: string[] = [];
  if (!role.exists && !role.mayCreate) {
    problems.push(
      `The role ${APP_ROLE} does not exist, and ${role.name} cannot create it. As a superuser: CREATE ROLE ${APP_ROLE} LOGIN PASSWORD '…'.`,
    );
  }
  if (!role.mayCreateTables) {
    problems.push(
      `The role ${role.name} cannot create tables. As a superuser: ALTER DATABASE tapeline OWNER TO "${role.name}", or correct DATABASE_ADMIN_URL.`,
    );
  }
  return problems;
}

/** Missing or changed migrations; otherwise what differs from the tables of a fresh database, which is rolled back. */
async function migrationProblems(client: pg.Client): Promise<string[]> {
  const execute: Execute = async (sql, values = []) => (await client.query(sql, [...values])).rows;
  const stored = await storedMigrations(execute);
  if (!stored) return [NO_TABLES];
  const problem = versionProblem(compareMigrations(stored));
  if (problem) return [problem];
  await client.query('begin');
  try {
    const ran = recognize(stored.map(({ name }) => name));
    const { expected, found } = await describeBoth(execute, ran);
    const difference = schemaProblem(compareSchemas(expected, found));
    return difference ? [difference] : [];
  } finally {
    await client.query('rollback');
  }
}
