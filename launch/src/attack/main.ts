import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshVariables } from '../product/fresh-variables.ts';
import { createLaunch } from '../product/start-product.ts';
import { guardRun } from '../testing/guard-run.ts';
import { attack } from './attack.ts';

/**
 * `npm run attack`: starts its own product on 127.0.0.1 with the demonstration portfolio, replays every known attack,
 * sends mutated requests, and stops. Use `--seed=` and `--requests=` to repeat a run.
 */
const { values } = parseArgs({ options: { seed: { type: 'string' }, requests: { type: 'string' } } });
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.requests ?? 5_000);
if (!Number.isInteger(requests) || requests < 0) {
  throw new Error('usage: npm run attack -- [--seed=TEXT] [--requests=COUNT]');
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'tapeline-attack-'));
chmodSync(folder, 0o711);
const guard = guardRun({ folder, runFolder: join(folder, 'run') });
const launch = createLaunch({ root, variables: freshVariables(folder), say });

async function end(code: number): Promise<never> {
  await launch.stop();
  rmSync(folder, { recursive: true, force: true });
  guard.release();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(1));

try {
  const product = await launch.start();
  await launch.loadDemonstration();
  say(`attacking ${product.url} with the seed ${seed}, ${requests.toLocaleString('en')} mutated requests`);
  const target = { url: product.url.replace('localhost', '127.0.0.1'), mailFolder: product.home.mail };
  const { passed, findings } = await attack(target, { seed, requests, mayHarm: true, isPatient: true, say });
  if (findings.length > 0) say(`repeat with: npm run attack -- --seed=${seed} --requests=${requests}`);
  say(`${passed} passed, ${findings.length} failed`);
  await end(findings.length === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  await end(1);
}
