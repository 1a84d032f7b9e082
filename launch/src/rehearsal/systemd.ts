import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemAccount } from '../postgres/system-account.ts';
import type { Variables } from '../processes/variables.ts';
import type { Service } from '../supervisor/service.ts';
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import { RUN_MARK } from '../testing/marked-processes.ts';

/** The lines of a unit that a rehearsal carries out. */
interface Unit {
  executable: string;
  args: string[];
  folder: string;
  environment: Variables;
  stopTimeoutMs: number;
}

/** @throws if the unit lacks the line */
function lineOf(unit: string, name: string): string {
  const value = new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1];
  if (value === undefined) throw new Error(`the unit has no ${name}`);
  return value;
}

/** Reads an EnvironmentFile as systemd does: no expansion, and quotes around a value are removed. */
export function readEnvironmentFile(text: string): Variables {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', quoted, plain = ''] = /^(\w+)=(?:"([^"]*)"|(.*))$/.exec(line) ?? [];
      if (name === '') throw new Error(`not a line of an environment file: ${line}`);
      return [name, quoted ?? plain.trim()];
    }),
  );
}

export function readUnit(text: string): Unit {
  const [executable = '', ...args] = lineOf(text, 'ExecStart').split(' ');
  return {
    executable,
    args,
    folder: lineOf(text, 'WorkingDirectory'),
    environment: readEnvironmentFile(readFileSync(lineOf(text, 'EnvironmentFile'), 'utf8')),
    stopTimeoutMs: Number(lineOf(text, 'TimeoutStopSec')) * 1000,
  };
}

/** What runs of a unit: one process on each machine, and what differs on it. */
interface Instance {
  unit: string;
  name: string;
  changes: Variables;
}

export interface SystemdOptions {
  folder: string;
  unitFolder: string;
  instances: readonly Instance[];
  /** The user whose processes the units' user stands for, or null for the current one. */
  account: SystemAccount | null;
  say: (line: string) => void;
}

export interface Systemd {
  /** Carries out `systemctl` with these words. */
  call(words: readonly string[]): Promise<void>;
  /** One machine's instance of a unit. */
  startOne(name: string): Promise<void>;
  stopOne(name: string): Promise<void>;
  /** The main process of an instance. @throws if it does not run */
  pidOf(name: string): number;
}

/**
 * Replaces systemd, which must be the first process of a machine. It starts exactly the ExecStart of a unit,
 * with its EnvironmentFile, WorkingDirectory and StateDirectory, as another user if it can, and again when it ends.
 */
export function createSystemd({ folder, unitFolder, instances, account, say }: SystemdOptions): Systemd {
  const running = new Map<string, Supervisor>();

  async function start({ unit, name, changes }: Instance): Promise<void> {
    if (running.has(name)) return;
    const {
      executable,
      args,
      folder: workingFolder,
      environment,
      stopTimeoutMs,
    } = readUnit(readFileSync(join(unitFolder, `${unit}.service`), 'utf8'));
    const all = { ...environment, ...changes };
    const state = all.TAPELINE_HOME ?? '';
    mkdirSync(state, { recursive: true, mode: 0o755 });
    if (account) chownSync(state, account.uid, account.gid);
    const service: Service = {
      name,
      command: {
        executable,
        args,
        folder: workingFolder,
        account,
        // systemd passes nothing else on; the mark lets the processes be found if this one is killed.
        environment: Object.assign<NodeJS.ProcessEnv, Variables>(
          { NODE_ENV: 'production' },
          { PATH: '/usr/local/bin:/usr/bin:/bin', [RUN_MARK]: process.env[RUN_MARK], ...all },
        ),
      },
      // To systemd, a simple service is started once its process is.
      isReady: async () => true,
      readyTimeoutMs: 10_000,
      stopSignal: 'SIGTERM',
      killSignal: 'SIGKILL',
      stopTimeoutMs,
    };
    const supervisor = createSupervisor({ runFolder: join(folder, 'run'), logFolder: join(folder, 'logs'), say });
    running.set(name, supervisor);
    await supervisor.start([service]);
  }

  async function stop(name: string): Promise<void> {
    await running.get(name)?.stop();
    running.delete(name);
  }

  const instance = (name: string): Instance => {
    const found = instances.find((each) => each.name === name);
    if (!found) throw new Error(`there is no instance ${name}`);
    return found;
  };

  return {
    startOne: (name) => start(instance(name)),
    stopOne: stop,
    async call([verb = '', ...words]) {
      if (verb === 'daemon-reload') return;
      const units = words.filter((word) => !word.startsWith('-'));
      const known = readdirSync(unitFolder);
      for (const unit of units) {
        if (!known.includes(`${unit}.service`)) throw new Error(`Unit ${unit}.service could not be found.`);
      }
      const chosen = instances.filter(({ unit }) => units.includes(unit));
      if (verb === 'start' || (verb === 'enable' && words.includes('--now'))) {
        await Promise.all(chosen.map(start));
        return;
      }
      if (verb === 'stop') {
        await Promise.all(chosen.map(({ name }) => stop(name)));
        return;
      }
      throw new Error(`a rehearsal does not know systemctl ${verb}`);
    },
    pidOf(name) {
      const pid = running.get(name)?.pidOf(name);
      if (!pid) throw new Error(`${name} is not running`);
      return pid;
    },
  };
}
