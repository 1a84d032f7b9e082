import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filterToPostgres } from '@tapeline/domain/filters/postgres.ts';
import type { LakeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import type { AssetQuery } from '@tapeline/lake/assets.ts';
import { openLake, quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import pg from 'pg';

/**
 * The tape as a PostgreSQL table: one column for each lake column, b-trees on row order, asset id and status, analyzed.
 */
export interface PostgresTable {
  list(query: AssetQuery): Promise<{ ids: string[]; total: number }>;
  close(): Promise<void>;
}

const typeOf = ({ type }: LakeColumn): string =>
  type.replace('VARCHAR', 'text').replace('DOUBLE', 'double precision').replace('DECIMAL', 'numeric');

/**
 * Loads the published assets into a database of their own.
 * @param server connects as its superuser
 */
export async function openPostgresTable(
  server: string,
  assetsFile: string,
  columns: readonly LakeColumn[],
): Promise<PostgresTable> {
  const [name, url] = [`bench_${randomBytes(6).toString('hex')}`, new URL(server)];
  url.pathname = `/${name}`;
  const [admin, client] = [server, url.href].map((connectionString) => {
    const each = new pg.Client({ connectionString });
    // A server that is stopped reports it here; the next query throws.
    each.on('error', () => {});
    return each;
  }) as [pg.Client, pg.Client];
  // PostgreSQL reads the file itself, as another user.
  const folder = await mkdtemp(join(tmpdir(), 'bench-table-'));
  await chmod(folder, 0o755);
  await admin.connect();
  const stop = async (): Promise<void> => {
    await client.end();
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await admin.query(`create database ${name}`);
    await client.connect();
    const names = ['row', 'sequenceIndex', ...columns.map(({ name }) => name)].map(quoteName).join(', ');
    const defined = columns.map((column) => `${quoteName(column.name)} ${typeOf(column)}`);
    await client.query(`CREATE TABLE assets ("row" integer, "sequenceIndex" integer, ${defined.join(', ')})`);
    const csv = join(folder, 'assets.csv');
    const lake = await openLake();
    await lake.connected((connection) =>
      connection.run(
        `COPY (SELECT ${names} FROM ${readParquet([assetsFile])}) TO ${quoteText(csv)} (FORMAT csv, HEADER false)`,
      ),
    );
    lake.close();
    await chmod(csv, 0o644);
    await client.query(`COPY assets FROM ${quoteText(csv)} (FORMAT csv)`);
    for (const name of ['sequenceIndex', 'assetId', 'assetStatus']) {
      await client.query(`CREATE INDEX ON assets (${quoteName(name)})`);
    }
    await client.query('VACUUM ANALYZE assets');
    return {
      async list({ filter, sort, skip, limit }) {
        const { sql, values } = filterToPostgres(filter, (field) => quoteName(field.path));
        const order = sort.map(
          ({ field, direction }) => `${quoteName(field.path)} ${direction === 1 ? 'ASC' : 'DESC'} NULLS LAST`,
        );
        const counted = await client.query(`SELECT count(*) AS total FROM assets WHERE ${sql}`, [...values]);
        const page = await client.query(
          `SELECT * FROM assets WHERE ${sql} ORDER BY ${[...order, '"sequenceIndex"'].join(', ')} LIMIT ${limit} OFFSET ${skip}`,
          [...values],
        );
        return { ids: page.rows.map(({ assetId }) => String(assetId)), total: Number(counted.rows[0].total) };
      },
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
