import { runCommand } from '@tapeline/db/commands/run-command.ts';
import { openStore, type Store } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { STRANGE_STORAGE } from '../storage/claim.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { openObjectStore } from '../storage/open-object-store.ts';

/**
 * Runs a command that seeds, and prints what it says. Storage of another instance is refused before anything is seeded;
 * storage that does not respond yet is checked later.
 */
export const seedStore = (seed: (store: Store, objects: ObjectStore) => Promise<string>): Promise<void> =>
  runCommand({
    needs: ['storage'],
    usesTables: true,
    examine: storageProblems,
    async run(environment) {
      const store = await openStore(environment);
      const objects = await openObjectStore(environment, store);
      try {
        await objects.ping().catch((error) => {
          if (isRefusal(error) && error.flags?.[STRANGE_STORAGE]) throw error;
        });
        process.stdout.write(`${await seed(store, objects)}\n`);
      } finally {
        await Promise.all([objects.close(), store.close()]);
      }
    },
  });
