import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { guardRun } from '../testing/guard-run.ts';
import { causeAlerts } from './alerts.ts';
import { installAndExamine } from './install.ts';
import { type Machine, openMachine } from './machine.ts';
import { upgradeOldDatabases } from './old-databases.ts';
import { failServers } from './outages.ts';
import { REHEARSED } from './rehearsed.ts';
import { restartUnderLoad } from './restarts.ts';
import { loseAndRestore } from './restore.ts';
import { createSteps, ensure } from './steps.ts';
import { canRunSystemd } from './systemd/open.ts';
import { upgradeAndBack } from './upgrade.ts';
import { useIt } from './use.ts';
import { tryVersions } from './versions.ts';

/**
 * `npm run rehearse`: follows the production guide on a machine of its own in a temporary folder, with real servers and
 * NODE_ENV=production. Runs the commands of the guide as they are printed there, lets each server and process fail
 * while a tape is processed, restores a backup, and upgrades from an earlier commit (`--previous=`, by default the one
 * before the newest migration) and back. Before that, it tries each supported version of PostgreSQL, and upgrades the old
 * databases that it keeps. `--only=versions,alerts` runs only these parts. `--keep` keeps the logs.
 */
const { values } = parseArgs({
  options: { previous: { type: 'string' }, only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});

/** They need no machine of the guide. */
const WITHOUT_MACHINE = ['versions', 'old-databases'];
const PARTS = [...WITHOUT_MACHINE, 'doctor', 'restarts', 'outages', 'restore', 'alerts', 'upgrade'];

const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** The commit before the one that added the newest migration. */
function previousVersion(): string {
  const newest = git('ls-files', 'db/src/migrations')
    .split('\n')
    .map((name) => ({ name, number: Number(/\/(\d+)-[^.]+\.ts$/.exec(name)?.[1] ?? -1) }))
    .sort((a, b) => a.number - b.number)
    .at(-1)?.name;
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', newest ?? '');
  return git('rev-parse', `${added}^`);
}

/** Units with PrivateTmp do not see the temporary folder of the machine. */
const parent = canRunSystemd() ? '/srv' : tmpdir();
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(join(parent, 'tapeline-rehearsal-'));
chmodSync(folder, 0o711);
const guard = guardRun({ folder, runFolder: join(folder, 'run') });
const steps = createSteps(say);
let machine: Machine | null = null;

async function end(code: number): Promise<never> {
  await machine?.close();
  if (values.keep) {
    const kept = `${folder}-logs`;
    cpSync(join(folder, 'logs'), kept, { recursive: true });
    say(`the logs are in ${kept}`);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  guard.release();
  process.exit(code);
}
/** The guard ends all processes of the rehearsal, including a command that is running, and removes its folder. */
const stop = () => process.exit(1);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
process.once('disconnect', stop);

try {
  const chosen = values.only?.split(',') ?? PARTS;
  const unknown = chosen.filter((part) => !PARTS.includes(part));
  ensure(unknown.length === 0, `there is no part ${unknown.join(', ')}: choose from ${PARTS.join(', ')}`);
  const wants = (part: string) => chosen.includes(part);
  if (wants('versions')) await tryVersions(join(folder, 'versions'), steps, say);
  if (wants('old-databases')) await upgradeOldDatabases(join(folder, 'old-databases'), steps, say);
  if (chosen.every((part) => WITHOUT_MACHINE.includes(part))) {
    say(steps.table());
    await end(steps.hasFailed() ? 1 : 0);
  }
  const current = git('rev-parse', 'HEAD');
  const previous = git('rev-parse', values.previous ?? previousVersion());
  say(`rehearsing ${current.slice(0, 7)}, and the upgrade from ${previous.slice(0, 7)}`);
  if (git('status', '--porcelain') !== '') say('changes that are not committed are left out');
  const opened = await steps.step('install the servers and programs from packages', () =>
    openMachine(root, folder, say),
  );
  machine = opened;
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(opened.certificate, 'utf8')]);
  const schema = await installAndExamine(opened, steps, { version: current, examines: wants('doctor') });
  const used = await useIt(opened, steps);
  const portfolio = wants('restarts') ? { ...used, published: await restartUnderLoad(opened, steps, used) } : used;
  const published = wants('outages') ? await failServers(opened, steps, portfolio) : portfolio.published;
  if (wants('restore')) await loseAndRestore(opened, steps, current, portfolio, published);
  if (wants('alerts')) await causeAlerts(opened, steps, { ...portfolio, published }, say);
  if (wants('upgrade')) await upgradeAndBack(opened, steps, { previous, current, schema });
  if (values.only === undefined) {
    await steps.step('every command of the guide was run', () => {
      const left = REHEARSED.filter((name) => !opened.rehearsed.has(name));
      ensure(left.length === 0, `these were not: ${left.join(', ')}`);
    });
  }
  say(steps.table());
  await end(steps.hasFailed() ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  say(steps.table());
  await end(1);
}
