import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { filterToPostgres } from '@tapeline/domain/filters/postgres.ts';
import type { LakeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import type { AssetQuery } from '@tapeline/lake/assets.ts';
import { openLake, quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { claimAnyPort } from '@tapeline/launch/ports/ports.ts';
import { type Cluster, prepareCluster, superuserUrl } from '@tapeline/launch/postgres/cluster.ts';
import pg from 'pg';
import { say } from '../measuring/rounds.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

/**
 * The tape as a PostgreSQL table: one column for each lake column, b-trees on row order, asset id and status, analyzed.
 */
export interface PostgresTable {
  list(query: AssetQuery): Promise<{ ids: string[]; total: number }>;
  close(): Promise<void>;
}

const typeOf = ({ type }: LakeColumn): string =>
  type.replace('VARCHAR', 'text').replace('DOUBLE', 'double precision').replace('DECIMAL', 'numeric');

/** Starts a separate PostgreSQL with default settings, and loads the published assets into it. */
export async function openPostgresTable(assetsFile: string, columns: readonly LakeColumn[]): Promise<PostgresTable> {
  const folder = await mkdtemp(join(DATA_FOLDER, 'postgres-'));
  await chmod(folder, 0o755);
  const claimed = await claimAnyPort();
  const cluster: Cluster = {
    dataFolder: join(folder, 'data'),
    port: claimed.port,
    superuserPassword: 'bench',
    throwAway: true,
  };
  const service = await prepareCluster(cluster, say);
  await claimed.release();
  const { executable, args, environment, account } = service.command;
  const server = spawn(executable, [...args], {
    stdio: 'ignore',
    cwd: '/',
    ...(environment && { env: environment }),
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const ended = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill(service.stopSignal);
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const startedAt = Date.now();
    while (!(await service.isReady({ startedAt }))) {
      if (Date.now() - startedAt > service.readyTimeoutMs) throw new Error('PostgreSQL did not start');
      await setTimeout(50);
    }
    const client = new pg.Client({ connectionString: superuserUrl(cluster) });
    // A server that is stopped reports it here; the next query throws.
    client.on('error', () => {});
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
      async close() {
        await client.end();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
