import { readEnvironment } from '../environment.ts';
import { seedDemonstration } from '../seed/seed-demonstration.ts';
import { seedFoundations } from '../seed/seed-foundations.ts';
import { openStore, systemActor } from '../store.ts';

// `node seed.ts` seeds the demonstration as well, outside production; `--foundations` only what every installation needs.
const environment = readEnvironment(process.env);
const store = await openStore(environment);
try {
  const demonstration = environment.nodeEnv !== 'production' && !process.argv.includes('--foundations');
  const seeded = await store.as(systemActor('Seeding'), async (session) => {
    if (demonstration) return seedDemonstration(session);
    await seedFoundations(session);
    return false;
  });
  process.stdout.write(
    seeded ? 'Seeded roles and the demonstration portfolio.\n' : 'Roles and permissions are in place.\n',
  );
} finally {
  await store.close();
}
