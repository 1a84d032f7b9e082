import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { claimAnyPort } from '../ports/ports.ts';
import { startIdentityProvider } from '../testing/identity-provider.ts';
import { runWithProduct } from '../testing/throwaway-product.ts';
import { attack } from './attack.ts';
import { startStorage } from './storage.ts';

/**
 * `npm run attack`: starts its own product on 127.0.0.1 with the demonstration portfolio and an identity provider,
 * replays every known attack, sends mutated requests, and stops. Use `--seed=` and `--requests=` to repeat a run. With
 * `--storage=s3` the product keeps its files in an S3 service instead of a folder.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, requests: { type: 'string' }, storage: { type: 'string', default: 'folder' } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.requests ?? 5_000);
if (!Number.isInteger(requests) || requests < 0 || !['folder', 's3'].includes(values.storage)) {
  throw new Error('usage: npm run attack -- [--seed=TEXT] [--requests=COUNT] [--storage=folder|s3]');
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);

// The claim is given up when the process ends.
const { port } = await claimAnyPort();
const client = { issuer: `http://127.0.0.1:${port}`, id: 'tapeline', secret: randomBytes(16).toString('hex') };
const variables = {
  OIDC_ISSUER: client.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  ...(values.storage === 's3' ? await startStorage(say) : {}),
};

await runWithProduct({ name: 'attack', say, variables }, async ({ url, home }) => {
  say(`attacking ${url} with the seed ${seed}, ${requests.toLocaleString('en')} mutated requests`);
  const identity = await startIdentityProvider(client, url.replace('127.0.0.1', 'localhost'));
  const target = { url, mailFolder: home.mail, identity };
  const { passed, findings } = await attack(target, { seed, requests, mayHarm: true, isPatient: true, say });
  if (findings.length > 0) say(`repeat with: npm run attack -- --seed=${seed} --requests=${requests}`);
  say(`${passed} passed, ${findings.length} failed`);
  return findings.length === 0 ? 0 : 1;
});
