import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../finding/debian-programs.ts';
import { cacheFolder, findOnPath, firstFound, runToEnd } from '../finding/first-found.ts';
import type { Variables } from '../processes/variables.ts';
import type { Service } from '../supervisor/service.ts';

const GATEWAY = 'github.com/versity/versitygw/cmd/versitygw';
const GATEWAY_VERSION = '1.8.0';
const BUILD_TIMEOUT_MS = 30 * 60_000;

export const GATEWAY_REGION = 'eu-central-1';

export interface Gateway {
  /** What `findGateway` found. */
  readonly program: string;
  readonly port: number;
  readonly account: { readonly id: string; readonly secret: string };
  /** Existing folders: of the buckets, of what is known of each object, and of further accounts. */
  readonly folders: { readonly objects: string; readonly metadata: string; readonly accounts: string };
}

/** The gateway as a service of the supervisor, apart from when it is ready and how long to wait. */
export const gatewayService = ({
  program,
  port,
  account,
  folders,
}: Gateway): Pick<Service, 'name' | 'command' | 'stopSignal'> => ({
  name: 'storage',
  command: {
    executable: program,
    args: [
      ...['--port', `127.0.0.1:${port}`, '--region', GATEWAY_REGION, '--quiet', '--iam-dir', folders.accounts],
      ...['posix', '--sidecar', folders.metadata, folders.objects],
    ],
    environment: { ...process.env, ROOT_ACCESS_KEY: account.id, ROOT_SECRET_KEY: account.secret },
  },
  stopSignal: 'SIGTERM',
});

/** Finds the S3 gateway, or builds it into the user's cache folder. */
export function findGateway(environment: Variables, say: (line: string) => void): Promise<string> {
  const place = join(cacheFolder(environment), `versitygw-${GATEWAY_VERSION}`);
  return firstFound('the S3 gateway versitygw', [
    {
      name: '"versitygw" on PATH',
      find: async () => {
        const path = findOnPath(['versitygw'], environment.PATH);
        return path === null ? { missing: 'not found' } : { path };
      },
    },
    {
      name: 'building it with Go (go install)',
      find: async () => {
        const path = join(place, 'versitygw');
        if (existsSync(path)) return { path };
        const go = findOnPath(['go'], `${environment.PATH}:/usr/local/go/bin`);
        if (go === null) return { missing: 'Go is not installed' };
        mkdirSync(cacheFolder(environment), { recursive: true });
        say('building the S3 gateway with Go (once, about 5 minutes)');
        const problem = await once(place, async (folder) => {
          const run = await runToEnd(go, ['install', '-ldflags=-s -w', `${GATEWAY}@v${GATEWAY_VERSION}`], {
            timeoutMs: BUILD_TIMEOUT_MS,
            environment: { ...environment, GOBIN: folder },
            folder,
          });
          return run.ok ? null : run.lastLine;
        });
        return problem === null ? { path } : { missing: problem };
      },
    },
  ]);
}
