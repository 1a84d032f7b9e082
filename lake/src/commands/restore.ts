import '@tapeline/db/private-files.ts';

import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '@tapeline/db/commands/run-command.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { fetchBackup, folderPlace, isSealed, openBackupPlace } from '../backup/backup-place.ts';
import { latestBackup } from '../backup/kept-backups.ts';
import { recorded } from '../backup/recorded.ts';
import { rehearseRestore } from '../backup/rehearse-restore.ts';
import { type Restored, restore } from '../backup/restore.ts';
import { inFolder } from '../backup/working-files.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { openAnyObjectStore } from '../storage/open-object-store.ts';

const USAGE =
  'Specify the backup: npm run restore -- --from FOLDER, or with BACKUP_S3_ENDPOINT --name NAME, or --latest for the latest one';

interface Chosen {
  readonly from?: string | undefined;
  readonly into?: string | undefined;
  readonly name?: string | undefined;
  readonly latest: boolean;
}

// `npm run restore -- --from FOLDER` restores into an empty database and storage, or with --replace over the existing
// content. `--rehearse` restores into a database and a folder that are removed again, and records the result.
await runCommand({
  needs: ['storage'],
  usesTables: false,
  examine: storageProblems,
  async run(environment) {
    const { values } = parseArgs({
      options: {
        from: { type: 'string' },
        into: { type: 'string' },
        name: { type: 'string' },
        latest: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        rehearse: { type: 'boolean', default: false },
      },
    });
    if (!values.from && !values.name && !values.latest) throw new Error(USAGE);
    const work = join(environment.home, 'backup-work');
    await mkdir(work, { recursive: true, mode: 0o700 });
    if (values.rehearse) {
      const restored = await recorded(environment, 'restoreTest', () =>
        withBackup(environment, values, work, (folder) => rehearseRestore(environment, folder, work)),
      );
      process.stdout.write(`The restore was rehearsed and its database removed. ${summaryOf(restored)}\n`);
      return;
    }
    const objects = await openAnyObjectStore(environment);
    const restored = await withBackup(environment, values, work, (folder) =>
      restore({ ...environment, objects }, folder, values),
    ).finally(() => objects.close());
    const { interrupted, held } = restored;
    process.stdout.write(
      `${summaryOf(restored)}\n` +
        (interrupted > 0
          ? `${interrupted} tapes were being processed when the backup was made. Retry them on their pages.\n`
          : '') +
        (held > 0
          ? `${held} emails are held and are not sent. Release or drop them under Administration > Held after a restore.\n`
          : 'No email was queued. Emails of jobs are held until you end the hold under Administration > Held after a restore.\n'),
    );
  },
});

function summaryOf({ manifest }: Restored): string {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const assets = manifest.tapes.reduce((sum, tape) => sum + tape.assets, 0);
  return `Restored the backup of ${manifest.createdAt}: ${rows} rows, ${manifest.objects.length} objects, ${manifest.tapes.length} published tapes with ${assets} assets.`;
}

/** The folder of the chosen backup; an encrypted one is opened into a working folder, which is removed afterwards. */
async function withBackup<Result>(
  { backups, home }: Environment,
  { from, into, name, latest }: Chosen,
  work: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const at = (folder: string) => resolve(process.env.INIT_CWD ?? '.', folder);
  const place = from
    ? folderPlace(dirname(at(from)))
    : await openBackupPlace(backups, at(into ?? join(home, 'backups')), work);
  try {
    const chosen = from ? basename(at(from)) : (name ?? (latest ? latestBackup(await place.list()) : undefined));
    if (!chosen) throw new Refusal('badRequest', `${place.label} has no backup that is named by its time`);
    const folder = join(place.label, chosen);
    const isInBucket = !from && backups.s3 !== null;
    if (!isInBucket && !(await isSealed(folder))) return await use(folder);
    const { key } = backups;
    if (!key) throw new Refusal('badRequest', 'This backup is encrypted: set BACKUP_KEY to the key it was made with');
    return await inFolder(work, 'opened', async (opened) => {
      await fetchBackup(opened, { place, name: chosen, key });
      return use(opened);
    });
  } finally {
    await place.close();
  }
}
