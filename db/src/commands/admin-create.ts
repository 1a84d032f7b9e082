import { z } from 'zod';
import { ownEnvironment } from '../environment.ts';
import { createAdmin } from '../seed/seed-foundations.ts';
import { openStore, systemActor } from '../store.ts';

const email = z.email().safeParse(process.argv[2]?.trim());
if (!email.success) {
  process.stderr.write('Give the email of the account: npm run admin:create -- ann@example.com\n');
  process.exit(1);
}
const store = await openStore(ownEnvironment([]));
try {
  const made = await store.as(systemActor('Admin account'), (session) => createAdmin(session, { email: email.data }));
  process.stdout.write(
    `${email.data} ${made ? 'is now an admin' : 'is already an admin'}. Sign in with a code sent to this email.\n`,
  );
} finally {
  await store.close();
}
