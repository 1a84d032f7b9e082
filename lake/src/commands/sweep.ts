import '@tapeline/db/private-files.ts';

import { parseArgs } from 'node:util';
import { runCommand } from '@tapeline/db/commands/run-command.ts';
import { openStore } from '@tapeline/db/store.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { openAnyObjectStore } from '../storage/open-object-store.ts';
import { DROPPED_MS, sweepObjects, TRASHED_MS } from '../storage/sweep.ts';

// `npm run sweep` removes dropped objects now, as the product does every hour; `-- --dry-run` prints what it would do.
const say = (line: string) => process.stdout.write(`${line}\n`);
const days = (ms: number) => ms / 86_400_000;

await runCommand({
  needs: ['storage'],
  usesTables: true,
  examine: storageProblems,
  async run(environment) {
    const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
    const dryRun = values['dry-run'];
    const store = await openStore(environment);
    const objects = await openAnyObjectStore(environment);
    const log = {
      info: (fields: object, message: string) => say(`${message}: ${(fields as { key?: string }).key ?? ''}`),
      warn: (fields: object, message: string) => say(`${message}: ${JSON.stringify(fields)}`),
    };
    const swept = await sweepObjects({ store, objects, log }, { dryRun });
    const would = dryRun ? 'The sweep would' : 'The sweep did';
    say(
      `${would}: record ${swept.recorded.length} objects as dropped (kept for ${days(DROPPED_MS)} days), move ${swept.trashed.length} to the trash ` +
        `(for ${days(TRASHED_MS)} days), delete ${swept.deleted.length} from the trash, restore ${swept.putBack.length}. ` +
        `${swept.unknown.objects} objects unknown to this database were not touched.`,
    );
    await Promise.all([objects.close(), store.close()]);
  },
});
