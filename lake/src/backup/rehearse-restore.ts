import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg, { escapeIdentifier } from 'pg';
import { openFileStore } from '../storage/file-store.ts';
import { type Restored, type RestoreTarget, restore } from './restore.ts';

const SCRATCH = 'tapeline_restore_test_';

async function atServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const inDatabase = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;

/**
 * Restores a backup into a database and a folder of its own, which compares every file, table and object with the backup,
 * and removes both, whatever happens. Nothing is sent: no worker knows of them.
 * @param source the installation; its owner of the tables creates the database
 * @param work folder for the objects
 * @throws Refusal badRequest if the backup cannot be restored
 */
export async function rehearseRestore(
  source: Pick<RestoreTarget, 'databaseUrl' | 'databaseAdminUrl'>,
  folder: string,
  work: string,
): Promise<Restored> {
  const database = SCRATCH + randomBytes(6).toString('hex');
  const home = await mkdtemp(join(work, 'restore-test-'));
  const name = escapeIdentifier(database);
  const app = escapeIdentifier(decodeURIComponent(new URL(source.databaseUrl).username));
  try {
    await atServer(source.databaseAdminUrl, async (client) => {
      await client.query(`create database ${name}`);
      await client.query(`revoke connect on database ${name} from public`);
      await client.query(`grant connect on database ${name} to ${app}`);
    });
    const objects = await openFileStore({ home, appSecret: '', publicUrl: 'http://localhost' });
    try {
      return await restore(
        {
          databaseUrl: inDatabase(source.databaseUrl, database),
          databaseAdminUrl: inDatabase(source.databaseAdminUrl, database),
          objects,
        },
        folder,
      );
    } finally {
      await objects.close();
    }
  } finally {
    await atServer(source.databaseAdminUrl, (client) =>
      client.query(`drop database if exists ${name} with (force)`),
    ).finally(() => rm(home, { recursive: true, force: true }));
  }
}
