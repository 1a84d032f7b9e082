import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Nothing listens there. */
const CLOSED = 'postgres://tapeline_app:b7c1e90d2f44@127.0.0.1:9/tapeline';

async function run(program: string, ...words: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'command-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { NODE_ENV: 'test', TAPELINE_HOME: home, DATABASE_URL: CLOSED } as const;
  const child = spawn(process.execPath, [join(root, program), ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { output, errors, code };
}

test.each([['db/src/commands/migrate.ts'], ['lake/src/commands/backup.ts']])(
  '%s says in one sentence that PostgreSQL does not answer',
  async (...command) => {
    expect(await run(...command)).toEqual({
      output: '',
      errors: 'PostgreSQL does not answer at 127.0.0.1:9: nothing listens there. Start it, or correct DATABASE_URL.\n',
      code: 1,
    });
  },
);

test.each([
  ['db/src/commands/admin-create.ts', 'Give the email of the account: npm run admin:create -- ann@example.com'],
  [
    'lake/src/commands/restore.ts',
    'Specify the backup: npm run restore -- --from FOLDER, or with BACKUP_S3_ENDPOINT --name NAME, or --latest for the latest one',
  ],
])('%s says what it must be given', async (program, errors) => {
  expect(await run(program)).toEqual({ output: '', errors: `${errors}\n`, code: 1 });
});
