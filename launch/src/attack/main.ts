import { parseArgs } from 'node:util';
import { runWithProduct } from '../testing/throwaway-product.ts';
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
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runWithProduct({ name: 'attack', say }, async ({ url, home }) => {
  say(`attacking ${url} with the seed ${seed}, ${requests.toLocaleString('en')} mutated requests`);
  const target = { url, mailFolder: home.mail };
  const { passed, findings } = await attack(target, { seed, requests, mayHarm: true, isPatient: true, say });
  if (findings.length > 0) say(`repeat with: npm run attack -- --seed=${seed} --requests=${requests}`);
  say(`${passed} passed, ${findings.length} failed`);
  return findings.length === 0 ? 0 : 1;
});
