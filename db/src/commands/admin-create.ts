import { z } from 'zod';
import { createAdmin } from '../seed/seed-foundations.ts';
import { openStore, systemActor } from '../store.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  needs: [],
  usesTables: true,
  async run(environment) {
    const email = z.email().safeParse(process.argv[2]?.trim());
    if (!email.success) {
      throw new Error('Give the email of the account: npm run admin:create -- ann@example.com');
    }
    const store = await openStore(environment);
    try {
      const made = await store.as(systemActor('Admin account'), (session) =>
        createAdmin(session, { email: email.data }),
      );
      process.stdout.write(
        `${email.data} ${made ? 'is now an admin' : 'is already an admin'}. Sign in with a code sent to this email.\n`,
      );
    } finally {
      await store.close();
    }
  },
});
