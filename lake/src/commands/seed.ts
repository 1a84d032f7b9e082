import '@tapeline/db/private-files.ts';

import { runCommand } from '@tapeline/db/commands/run-command.ts';
import { changeDemonstration } from '@tapeline/db/seed/demonstration/changes.ts';
import { seedDemonstration } from '@tapeline/db/seed/seed-demonstration.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { openStore, systemActor } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { addDemonstrationImports } from '../demonstration-imports.ts';
import { addDemonstrationLogos } from '../demonstration-logos.ts';
import { storageProblems } from '../storage/check-storage.ts';
import { STRANGE_STORAGE } from '../storage/claim.ts';
import { openObjectStore } from '../storage/open-object-store.ts';

// `node seed.ts` also seeds the demonstration, except in production; `--foundations` seeds only what every installation
// needs.
await runCommand({
  needs: ['storage'],
  usesTables: true,
  examine: storageProblems,
  async run(environment) {
    const store = await openStore(environment);
    const objects = await openObjectStore(environment, store);
    try {
      // Storage of another instance is refused before anything is seeded; storage that does not respond yet is checked
      // later.
      await objects.ping().catch((error) => {
        if (isRefusal(error) && error.flags?.[STRANGE_STORAGE]) throw error;
      });
      const demonstration = environment.nodeEnv !== 'production' && !process.argv.includes('--foundations');
      const seeded = await store.as(systemActor('Seeding'), async (session) => {
        if (!demonstration) {
          await seedFoundations(session);
          return false;
        }
        const isNew = await seedDemonstration(session);
        if (isNew) await changeDemonstration(session);
        return isNew;
      });
      // The portfolio is complete without them, so storage that does not respond yet does not stop the start.
      if (seeded) {
        await addDemonstrationLogos(store, objects).catch((error) =>
          process.stderr.write(`The logos of the demonstration were not stored: ${error}\n`),
        );
        await addDemonstrationImports(store, objects).catch((error) =>
          process.stderr.write(`The prepared imports of the demonstration were not stored: ${error}\n`),
        );
      }
      process.stdout.write(
        seeded ? 'Seeded roles and the demonstration portfolio.\n' : 'Roles and permissions are seeded.\n',
      );
    } finally {
      await Promise.all([objects.close(), store.close()]);
    }
  },
});
