import '@tapeline/db/private-files.ts';

import { systemActor } from '@tapeline/db/store.ts';
import { seedStore } from '@tapeline/lake/commands/seed-store.ts';
import { changeDemonstration, requireSecondPerson } from './changes.ts';
import { addDemonstrationDeliveries } from './deliveries.ts';
import { addDemonstrationLogos } from './logos.ts';
import { addDemonstrationPayments } from './payment-runs.ts';
import { addDemonstrationImports } from './prepared-imports.ts';
import { seedDemonstration } from './seed-demonstration.ts';

// Seeds what every installation needs, and the demonstration unless it is there.
await seedStore(async (store, objects) => {
  const isNew = await store.as(systemActor('Seeding'), async (session) => {
    const seeded = await seedDemonstration(session);
    if (seeded) await changeDemonstration(session);
    return seeded;
  });
  if (!isNew) return 'Roles and permissions are seeded.';
  await store.as(systemActor('Seeding'), requireSecondPerson);
  // The portfolio is complete without them, so storage that does not respond yet does not stop the start.
  await addDemonstrationLogos(store, objects).catch((error) =>
    process.stderr.write(`The logos of the demonstration were not stored: ${error}\n`),
  );
  await addDemonstrationImports(store, objects).catch((error) =>
    process.stderr.write(`The prepared imports of the demonstration were not stored: ${error}\n`),
  );
  await addDemonstrationPayments(store, objects).catch((error) =>
    process.stderr.write(`The payment runs of the demonstration were not stored: ${error}\n`),
  );
  await addDemonstrationDeliveries(store, objects).catch((error) =>
    process.stderr.write(`The delivered statement of the demonstration was not taken: ${error}\n`),
  );
  return 'Seeded roles and the demonstration portfolio.';
});
