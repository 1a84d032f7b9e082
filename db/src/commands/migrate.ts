import { parseArgs } from 'node:util';
import { migrate } from '../migrate.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  needs: [],
  usesTables: false,
  async run({ databaseAdminUrl }) {
    const { values } = parseArgs({ options: { repair: { type: 'boolean', default: false } } });
    const { ran, repaired } = await migrate(databaseAdminUrl, { repair: values.repair });
    for (const what of repaired) process.stdout.write(`Repaired: ${what}\n`);
    process.stdout.write(ran.length === 0 ? 'The database is up to date.\n' : `Migrated: ${ran.join(', ')}\n`);
  },
});
