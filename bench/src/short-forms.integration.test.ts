import { createTestDatabase } from '@tapeline/db/testing/test-store.ts';
import { inject, it } from 'vitest';
import type { TestServices } from './measuring/product.ts';
import { benchesWith, runShortForm } from './testing/short-form.ts';

it.each(benchesWith('services'))('finds right answers in the bench %s', async (name) => {
  const database = await createTestDatabase();
  try {
    const services: TestServices = {
      databaseUrl: database.databaseUrl,
      databaseAdminUrl: database.adminUrl,
      temporalAddress: inject('temporalAddress'),
    };
    // A tape of several batches is small.
    await runShortForm(name, { BENCH_SERVICES: JSON.stringify(services), TAPE_BATCH_ROWS: '1000' });
  } finally {
    await database.close();
  }
});
