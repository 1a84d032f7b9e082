import '@tapeline/db/private-files.ts';

import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '@tapeline/db/commands/run-command.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { backUp, backUpSealed } from '../backup/back-up.ts';
import { type BackupPlace, folderPlace, openBackupPlace } from '../backup/backup-place.ts';
import { backupNameOf, backupsToRemove } from '../backup/kept-backups.ts';
import { recorded } from '../backup/recorded.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { openAnyObjectStore } from '../storage/open-object-store.ts';

// `npm run backup` backs up the database and its objects as of one moment, while the product stays in use: into the bucket
// of BACKUP_S3_ENDPOINT, or else into the folder of `--into`, under the name of the moment; with `--to FOLDER`, into this
// folder. With BACKUP_KEY, it is encrypted. `--prune` then removes those that BACKUP_KEEP_DAILY and so on do not keep.
await runCommand({
  needs: ['storage'],
  usesTables: true,
  examine: storageProblems,
  async run(environment) {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, into: { type: 'string' }, prune: { type: 'boolean', default: false } },
    });
    if (values.to && (values.into || values.prune))
      throw new Error('--to names one folder: leave out --into and --prune');
    const now = new Date();
    // npm runs commands in the project's folder; INIT_CWD is where it was called.
    const at = (folder: string) => resolve(process.env.INIT_CWD ?? '.', folder);
    const work = join(environment.home, 'backup-work');
    await mkdir(work, { recursive: true, mode: 0o700 });
    const to = values.to ? at(values.to) : null;
    const place = to
      ? folderPlace(dirname(to))
      : await openBackupPlace(environment.backups, at(values.into ?? join(environment.home, 'backups')), work);
    const name = to ? basename(to) : backupNameOf(now);
    try {
      await recorded(environment, 'backup', () => make(environment, place, { name, now }), { recordsFailure: !to });
      if (values.prune) await prune(environment, place, name, now);
    } finally {
      await place.close();
    }
  },
});

async function make(
  environment: Environment,
  place: BackupPlace,
  { name, now }: { name: string; now: Date },
): Promise<void> {
  const { key } = environment.backups;
  const objects = await openAnyObjectStore(environment);
  const source = { ...environment, objects };
  try {
    const {
      tables,
      objects: copied,
      tapes,
    } = key
      ? await backUpSealed(source, { place, name, key }, now)
      : await backUp(source, join(place.label, name), now);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = copied.reduce((sum, object) => sum + object.size, 0);
    const assets = tapes.reduce((sum, tape) => sum + tape.assets, 0);
    process.stdout.write(
      `Backed up ${rows} rows and ${copied.length} objects (${(bytes / 1e6).toFixed(1)} MB), ${tapes.length} published tapes with ${assets} assets, ${key ? 'encrypted, ' : ''}to\n${place.label}/${name}\n`,
    );
  } finally {
    await objects.close();
  }
}

async function prune({ backups }: Environment, place: BackupPlace, justMade: string, now: Date): Promise<void> {
  for (const name of backupsToRemove(await place.list(), backups.kept, justMade)) {
    await place.remove(name);
    process.stdout.write(`Removed the backup ${name}\n`);
  }
  const left = await place.tidy(now);
  if (left > 0) process.stdout.write(`Removed ${left} that killed backups left unfinished\n`);
}
