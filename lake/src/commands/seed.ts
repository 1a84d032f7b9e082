import '@tapeline/db/private-files.ts';

import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { seedStore } from './seed-store.ts';

// Seeds what every installation needs.
await seedStore(async (store) => {
  await store.as(systemActor('Seeding'), seedFoundations);
  return 'Roles and permissions are seeded.';
});
