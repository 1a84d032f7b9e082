import { randomBytes } from 'node:crypto';
import { type Client, escapeIdentifier } from 'pg';
import { openFileStore } from '../storage/file-store.ts';
import { asOwner, type Restored, type RestoreTarget, restore } from './restore.ts';
import { cleanedUp, inFolder, LEFT_MS } from './working-files.ts';

const SCRATCH = 'tapeline_restore_test_';

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
  const database = `${SCRATCH}${Date.now()}_${randomBytes(4).toString('hex')}`;
  const name = escapeIdentifier(database);
  const app = escapeIdentifier(decodeURIComponent(new URL(source.databaseUrl).username));
  const drop = () =>
    asOwner(source.databaseAdminUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
  return inFolder(work, 'restore-test', (home) =>
    cleanedUp(drop, async () => {
      await asOwner(source.databaseAdminUrl, async (client) => {
        await dropLeft(client);
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
    }),
  );
}

/** Drops the databases of rehearsals whose process was killed. Their names say when they were made. */
async function dropLeft(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datdba = current_user::regrole and datname ~ $1`,
    [`^${SCRATCH}[0-9]+_[0-9a-f]+$`],
  );
  for (const { name } of rows) {
    const madeAt = Number(name.slice(SCRATCH.length).split('_')[0]);
    if (madeAt < Date.now() - LEFT_MS) {
      await client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
    }
  }
}
