import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Caller } from '../client/caller.ts';
import { installPythonPackages } from '../finding/python-packages.ts';
import { runWithProduct } from '../testing/throwaway-product.ts';
import { SETTINGS } from './settings.ts';

/**
 * `npm run conformance`: starts its own product with the demonstration portfolio, and lets Schemathesis call every
 * operation of /openapi.json as a manager. Fails on a server error, an undocumented status or content type, and on a
 * response that does not match its schema. `--seed=` repeats a run, `--only=PATH` limits it to paths that start so.
 */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string' }, examples: { type: 'string' } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const examples = values.examples ?? '8';

/** The version that the project is tested with. */
const SCHEMATHESIS = 'schemathesis==4.32.5';

/** The access token is valid for ten minutes. */
const RENEWED_EVERY_MS = 4 * 60_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Written beside it and renamed, so that a reader never sees half a file. */
function writeWhole(path: string, content: string): string {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return path;
}

/** The operations of an OpenAPI document by path and method. */
type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Ids of documents that the caller can see, by the path of their collection. */
async function documentsOf(caller: Caller, paths: Paths): Promise<Record<string, string[]>> {
  const collections = Object.keys(paths).flatMap((path) => (path.endsWith('/{id}') ? [path.slice(0, -5)] : []));
  const found: Record<string, string[]> = {};
  for (const collection of collections) {
    const answer = paths[collection]?.get ? await caller.call('GET', `${collection}?limit=5`) : null;
    if (answer?.status === 200) found[collection] = (JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id);
  }
  return found;
}

async function conform(url: string, mailFolder: string, folder: string): Promise<number> {
  const caller = await Caller.signedIn({ url, mailFolder }, 'manager@tapeline.test');
  const { paths } = JSON.parse((await caller.call('GET', '/openapi.json')).text) as { paths: Paths };
  const writeSession = () => writeWhole(join(folder, 'session.json'), JSON.stringify(caller.headers()));
  writeSession();
  writeWhole(join(folder, 'documents.json'), JSON.stringify(await documentsOf(caller, paths)));
  const settings = writeWhole(join(folder, 'schemathesis.toml'), SETTINGS);
  const renewal = setInterval(
    () =>
      void caller
        .renew()
        .then(writeSession)
        .catch((error: Error) => say(error.message)),
    RENEWED_EVERY_MS,
  );
  try {
    const run = spawn(
      join(installPythonPackages(folder, [SCHEMATHESIS], 'The conformance run'), 'schemathesis'),
      [
        ...[
          '--config-file',
          settings,
          'run',
          `${url}/openapi.json`,
          '--seed',
          seed,
          '--max-examples',
          examples,
          '--warnings',
          'off',
        ],
        ...(values.only ? ['--include-path-regex', `^${values.only}`] : []),
      ],
      {
        cwd: folder,
        stdio: 'inherit',
        env: {
          ...process.env,
          CONFORMANCE_FOLDER: folder,
          SCHEMATHESIS_HOOKS: fileURLToPath(new URL('hooks.py', import.meta.url)),
        },
      },
    );
    const [code] = (await once(run, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    clearInterval(renewal);
  }
}

await runWithProduct({ name: 'conformance', say }, async ({ url, home, folder }) => {
  say(`checking ${url} with the seed ${seed}`);
  const code = await conform(url, home.mail, folder);
  if (code !== 0) say(`repeat with: npm run conformance -- --seed=${seed}`);
  return code;
});
