import '@tapeline/db/private-files.ts';

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '@tapeline/db/commands/run-command.ts';
import { backUp } from '../backup/back-up.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { openAnyObjectStore } from '../storage/open-object-store.ts';

// `npm run backup -- --to FOLDER` backs up the database and its objects as of one moment, while the product stays in
// use.
await runCommand({
  needs: ['storage'],
  usesTables: true,
  examine: storageProblems,
  async run(environment) {
    const { values } = parseArgs({ options: { to: { type: 'string' } } });
    const objects = await openAnyObjectStore(environment);
    const now = new Date();
    const usual = join(environment.home, 'backups', now.toISOString().replaceAll(':', '-').replace(/\..*/, 'Z'));
    // npm runs commands in the project's folder; INIT_CWD is where it was called.
    const folder = values.to ? resolve(process.env.INIT_CWD ?? '.', values.to) : usual;
    const { tables, objects: copied, tapes } = await backUp({ ...environment, objects }, folder, now);
    await objects.close();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = copied.reduce((sum, object) => sum + object.size, 0);
    const assets = tapes.reduce((sum, tape) => sum + tape.assets, 0);
    process.stdout.write(
      `Backed up ${rows} rows and ${copied.length} objects (${(bytes / 1e6).toFixed(1)} MB), ${tapes.length} published tapes with ${assets} assets, to\n${folder}\n`,
    );
  },
});
