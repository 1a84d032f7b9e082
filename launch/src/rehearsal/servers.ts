import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isListening } from '../ports/ports.ts';
import { type Cluster, prepareCluster } from '../postgres/cluster.ts';
import { postgresAccount } from '../postgres/system-account.ts';
import { gatewayService } from '../storage/s3-gateway.ts';
import type { Service } from '../supervisor/service.ts';
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import { temporalService } from '../temporal/dev-server.ts';
import type { ServerPrograms } from './programs.ts';

const MAIL_SERVER = fileURLToPath(new URL('./mail-server.py', import.meta.url));
const READY_TIMEOUT_MS = 60_000;

export type ServerName = 'postgres' | 'temporal' | 'storage' | 'mail' | 'proxy' | 'rights';

/** A server that can fail, and lose its data. */
export interface Server {
  up(): Promise<void>;
  /** Stops as its operator would stop it. */
  down(): Promise<void>;
  /** Ends without a chance to finish anything. */
  crash(): Promise<void>;
  /** Stops, and forgets everything. */
  lose(): Promise<void>;
}

export interface ServersOptions {
  folder: string;
  programs: ServerPrograms;
  ports: Record<ServerName | 'webPort' | 'secondWebPort' | 'plainPort' | 'webMetrics' | 'secondWebMetrics', number>;
  /** Of all roles, accounts and keys. */
  password: string;
  certificate: string;
  key: string;
  /** The content of the proxy's configuration. */
  proxyConfiguration: () => string;
  say: (line: string) => void;
}

export const clusterIn = ({ folder, ports, password }: ServersOptions): Cluster => ({
  dataFolder: join(folder, 'postgres', 'data'),
  port: ports.postgres,
  superuserPassword: password,
});

const answers = (port: number) => () => isListening(port);

const usual = { readyTimeoutMs: READY_TIMEOUT_MS, killSignal: 'SIGKILL', stopTimeoutMs: 10_000 } as const;

/** All servers that the guide needs, each on a free port of this machine. */
export function createServers(options: ServersOptions): Record<ServerName, Server> {
  const { folder, programs, ports, password, certificate, key, say } = options;
  const data = (name: string) => join(folder, name);
  const storageFolders = ['objects', 'metadata', 'accounts'].map((name) => data(`storage/${name}`));
  const [objects = '', metadata = '', accounts = ''] = storageFolders;
  const mails = data('mail');

  const preparations: Record<ServerName, { folders: string[]; prepare: () => Promise<Service> | Service }> = {
    postgres: { folders: [data('postgres')], prepare: () => prepareCluster(clusterIn(options), say) },
    temporal: {
      folders: [data('temporal')],
      prepare: () =>
        temporalService({
          cli: programs.temporal,
          port: ports.temporal,
          uiPort: null,
          file: join(data('temporal'), 'temporal.sqlite'),
        }),
    },
    storage: {
      folders: storageFolders,
      prepare: () => ({
        ...usual,
        ...gatewayService({
          program: programs.versitygw,
          port: ports.storage,
          account: { id: 'admin', secret: password },
          folders: { objects, metadata, accounts },
        }),
        isReady: answers(ports.storage),
      }),
    },
    mail: {
      folders: [mails],
      prepare: () => ({
        ...usual,
        name: 'mail',
        command: {
          executable: join(programs.python, 'python'),
          args: [MAIL_SERVER, String(ports.mail), certificate, key, password, mails],
        },
        isReady: answers(ports.mail),
        stopSignal: 'SIGTERM',
      }),
    },
    rights: {
      folders: [],
      prepare: () => ({
        ...usual,
        name: 'rights',
        command: { executable: join(programs.python, 'moto_server'), args: ['--port', String(ports.rights)] },
        isReady: answers(ports.rights),
        stopSignal: 'SIGTERM',
      }),
    },
    proxy: {
      folders: [data('proxy')],
      prepare: () => {
        const file = join(data('proxy'), 'nginx.conf');
        writeFileSync(file, wholeConfiguration(data('proxy'), options.proxyConfiguration()));
        return {
          ...usual,
          name: 'proxy',
          command: {
            executable: programs.nginx,
            args: ['-p', data('proxy'), '-c', file, '-e', join(data('proxy'), 'error.log')],
          },
          isReady: answers(ports.proxy),
          stopSignal: 'SIGQUIT',
        };
      },
    },
  };

  function server(name: ServerName): Server {
    const { folders, prepare } = preparations[name];
    let supervisor: Supervisor | null = null;
    let pid: number | null = null;
    const down = async () => {
      await supervisor?.stop();
      supervisor = null;
    };
    return {
      async up() {
        for (const each of folders) mkdirSync(each, { recursive: true });
        const service = await prepare();
        supervisor = createSupervisor({ runFolder: data('run'), logFolder: data('logs'), say: () => {} });
        await supervisor.start([service]);
        pid = supervisor.pidOf(name);
      },
      down,
      async crash() {
        // PostgreSQL's own processes end with it: the others notice that it is gone.
        if (pid !== null) process.kill(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
        await down();
      },
      async lose() {
        await down();
        for (const each of folders) rmSync(each, { recursive: true, force: true });
      },
    };
  }
  const names = Object.keys(preparations) as ServerName[];
  return Object.fromEntries(names.map((name) => [name, server(name)])) as Record<ServerName, Server>;
}

/** What Debian's own nginx.conf does for the files of /etc/nginx/conf.d, with all paths in the folder. */
function wholeConfiguration(folder: string, configuration: string): string {
  const account = postgresAccount();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${account ? `user ${account.name};` : ''}
daemon off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log ${folder}/access.log;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
${configuration}}
`;
}
