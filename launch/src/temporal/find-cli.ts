import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, findOnPath, firstFound, isExecutable, runToEnd, type Way } from '../finding/first-found.ts';
import type { Variables } from '../processes/variables.ts';

/** Later tags have a `replace` line in their go.mod, so `go install` cannot install them. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

const EXECUTABLE = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const DOWNLOAD_HOST = 'https://temporal.download';

/** Where this program stores the copy that it downloaded or built for the user. */
export function cachedTemporalCli(environment: Variables): string {
  return join(cacheFolder(environment), `temporal-${TEMPORAL_CLI_VERSION}`, EXECUTABLE);
}

/**
 * Path of a working Temporal CLI. Checks TEMPORAL_CLI, PATH, and the user's cache. Otherwise downloads one with the
 * SDK's downloader or builds one with Go. The error lists all five options.
 */
export function findTemporalCli(environment: Variables, say: (line: string) => void): Promise<string> {
  return firstFound(`Temporal's CLI (the program "temporal")`, temporalCliWays(environment, say));
}

/** The five options, in the order in which they are tried. */
export function temporalCliWays(environment: Variables, say: (line: string) => void): Way[] {
  const cached = cachedTemporalCli(environment);
  return [
    { name: 'TEMPORAL_CLI (a path)', find: () => fromSetting(environment.TEMPORAL_CLI) },
    {
      name: '"temporal" on PATH',
      find: async () => {
        const path = findOnPath(['temporal'], environment.PATH);
        if (path === null) return { missing: 'not found' };
        return (await isTemporalCli(path)) ? { path } : { missing: `${path} is not a working Temporal CLI` };
      },
    },
    {
      name: `the copy in the user's cache folder`,
      find: async () => ((await isTemporalCli(cached)) ? { path: cached } : { missing: `${cached} not found` }),
    },
    { name: `the Temporal SDK's own downloader`, find: () => fromDownloader(cached, say) },
    { name: 'building it with Go (go install)', find: () => fromGo(cached, environment, say) },
  ];
}

async function fromSetting(path: string | undefined) {
  if (!path) return { missing: 'not set' };
  if (await isTemporalCli(path)) return { path };
  // An explicit setting that does not work is an error, not a fallback.
  throw new Error(`TEMPORAL_CLI is ${path}, which is not a Temporal CLI that runs here`);
}

async function isTemporalCli(path: string): Promise<boolean> {
  if (!isExecutable(path)) return false;
  const { ok, output } = await runToEnd(path, ['--version'], { timeoutMs: 15_000 });
  return ok && output.includes('temporal version');
}

async function fromDownloader(cached: string, say: (line: string) => void) {
  // Without a network, the SDK would retry for a long time, so check the connection first.
  try {
    await fetch(DOWNLOAD_HOST, { method: 'HEAD', signal: AbortSignal.timeout(4000) });
  } catch {
    return { missing: `${DOWNLOAD_HOST} does not answer` };
  }
  say(`downloading the Temporal CLI from ${DOWNLOAD_HOST} into ${dirname(cached)} (once)`);
  return throughWorkshop(cached, async (folder) => {
    const program = fileURLToPath(new URL('./download-cli.ts', import.meta.url));
    const run = await runToEnd(process.execPath, [program, folder, `v${TEMPORAL_CLI_VERSION}`], { timeoutMs: 240_000 });
    return run.ok ? null : run.lastLine;
  });
}

async function fromGo(cached: string, environment: Variables, say: (line: string) => void) {
  const go =
    findOnPath(['go'], environment.PATH) ?? (isExecutable('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : null);
  if (go === null) return { missing: 'Go is not installed' };
  say(`building the Temporal CLI with Go into ${dirname(cached)} (once, about 4 minutes)`);
  return throughWorkshop(cached, async (folder) => {
    const module = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;
    const run = await runToEnd(go, ['install', '-ldflags=-s -w', module], {
      timeoutMs: 30 * 60_000,
      environment: { ...environment, GOBIN: folder },
      folder,
    });
    return run.ok ? null : run.lastLine;
  });
}

/**
 * Lets `make` create a CLI in a temporary folder next to the cache. Moves it into the cache only if it runs, so that
 * the cache never contains a partial file.
 */
async function throughWorkshop(cached: string, make: (folder: string) => Promise<string | null>) {
  mkdirSync(dirname(cached), { recursive: true });
  const folder = mkdtempSync(`${dirname(cached)}-`);
  try {
    const problem = await make(folder);
    if (problem !== null) return { missing: problem };
    const made = readdirSync(folder).map((name) => join(folder, name));
    for (const file of made) {
      if (!(await isTemporalCli(file))) continue;
      cpSync(file, `${cached}.new`);
      renameSync(`${cached}.new`, cached);
      return { path: cached };
    }
    return { missing: 'it did not install a working program' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
