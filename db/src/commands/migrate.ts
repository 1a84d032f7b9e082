import { ownEnvironment } from '../environment.ts';
import { migrate } from '../migrate.ts';

const environment = ownEnvironment([]);
const ran = await migrate(environment.databaseAdminUrl);
process.stdout.write(ran.length === 0 ? 'The database is up to date.\n' : `Migrated: ${ran.join(', ')}\n`);
