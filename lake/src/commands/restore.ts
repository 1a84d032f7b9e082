import '@tapeline/db/private-files.ts';

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '@tapeline/db/commands/run-command.ts';
import { restore } from '../backup/restore.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { openAnyObjectStore } from '../storage/open-object-store.ts';

// `npm run restore -- --from FOLDER` restores into an empty database and storage, or with --replace over the existing
// content.
await runCommand({
  needs: ['storage'],
  usesTables: false,
  examine: storageProblems,
  async run(environment) {
    const { values } = parseArgs({
      options: { from: { type: 'string' }, replace: { type: 'boolean', default: false } },
    });
    if (!values.from) throw new Error('Specify the backup: npm run restore -- --from FOLDER');
    const objects = await openAnyObjectStore(environment);
    const folder = resolve(process.env.INIT_CWD ?? '.', values.from);
    const { manifest, interrupted } = await restore({ ...environment, objects }, folder, values);
    await objects.close();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const assets = manifest.tapes.reduce((sum, tape) => sum + tape.assets, 0);
    process.stdout.write(
      `Restored the backup of ${manifest.createdAt}: ${rows} rows, ${manifest.objects.length} objects, ${manifest.tapes.length} published tapes with ${assets} assets.\n` +
        (interrupted > 0
          ? `${interrupted} tapes were being processed when the backup was made. Retry them on their pages.\n`
          : ''),
    );
  },
});
