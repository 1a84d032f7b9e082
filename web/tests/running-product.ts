import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { z } from 'zod';

const schema = z.object({
  DATABASE_URL: z.string(),
  TEMPORAL_ADDRESS: z.string(),
  TEMPORAL_NAMESPACE: z.string(),
  INSTANCE_NAME: z.string(),
  APP_SECRET: z.string(),
});

/** The environment of the product under test, as saved for commands run by the same user. */
export const runningProduct = (): z.infer<typeof schema> =>
  schema.parse(JSON.parse(readFileSync(join(inject('productHome'), 'run', 'running.json'), 'utf8')));
