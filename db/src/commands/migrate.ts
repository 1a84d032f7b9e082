import { migrate } from '../migrate.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  needs: [],
  usesTables: false,
  async run({ databaseAdminUrl }) {
    const ran = await migrate(databaseAdminUrl);
    process.stdout.write(ran.length === 0 ? 'The database is up to date.\n' : `Migrated: ${ran.join(', ')}\n`);
  },
});
