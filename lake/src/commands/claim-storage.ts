import '@tapeline/db/private-files.ts';

import { runCommand } from '@tapeline/db/commands/run-command.ts';
import { openStore } from '@tapeline/db/store.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { takeStorage } from '../storage/claim.ts';
import { openAnyObjectStore } from '../storage/open-object-store.ts';

// `npm run storage:claim` marks the object storage as this database's: after a move, and only while nothing else uses
// it.
await runCommand({
  needs: ['storage'],
  usesTables: true,
  examine: storageProblems,
  async run(environment) {
    const store = await openStore(environment);
    const objects = await openAnyObjectStore(environment);
    const before = await takeStorage(store, objects);
    process.stdout.write(
      `${objects.place} now belongs to this database${before ? `; it belonged to instance ${before}, which must no longer use it` : ''}.\n`,
    );
    await Promise.all([objects.close(), store.close()]);
  },
});
