import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '../../processes/variables.ts';
import type { Service } from '../../supervisor/service.ts';
import { createSupervisor, type Supervisor } from '../../supervisor/supervisor.ts';
import { RUN_MARK } from '../../testing/marked-processes.ts';
import type { Instance, Systemd, SystemdOptions } from './systemd.ts';

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
function readEnvironmentFile(text: string): Variables {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', double, single, plain = ''] = /^(\w+)=(?:"([^"]*)"|'([^']*)'|(.*))$/.exec(line) ?? [];
      if (name === '') throw new Error(`not a line of an environment file: ${line}`);
      return [name, double ?? single ?? plain.trim()];
    }),
  );
}

/** All files of a unit, the last of which wins. One with a dash may be missing; %N is the name of the unit. */
function readEnvironmentFiles(unit: string, text: string): Variables {
  const files = [...text.matchAll(/^EnvironmentFile=(-?)(.+)$/gm)].map(([, dash, file = '']) => ({
    isOptional: dash === '-',
    file: file.replaceAll('%N', unit),
  }));
  const present = files.filter(({ file, isOptional }) => !isOptional || existsSync(file));
  return Object.assign({}, ...present.map(({ file }) => readEnvironmentFile(readFileSync(file, 'utf8'))));
}

function readUnit(unit: string, text: string): Unit {
  const [executable = '', ...args] = lineOf(text, 'ExecStart').split(' ');
  return {
    executable,
    args,
    folder: lineOf(text, 'WorkingDirectory'),
    environment: readEnvironmentFiles(unit, text),
    stopTimeoutMs: Number(lineOf(text, 'TimeoutStopSec')) * 1000,
  };
}

/**
 * Replaces systemd where it cannot run. Starts exactly the ExecStart of a unit, with its EnvironmentFile and
 * WorkingDirectory, as another user if it can, and again when it ends.
 */
export function createStandIn({ folder, unitFolder, instances, account, say }: SystemdOptions): Systemd {
  const running = new Map<string, Supervisor>();

  async function start({ unit, name, changes }: Instance): Promise<void> {
    if (running.has(name)) return;
    const {
      executable,
      args,
      folder: workingFolder,
      environment,
      stopTimeoutMs,
    } = readUnit(unit, readFileSync(join(unitFolder, `${unit}.service`), 'utf8'));
    const all = { ...environment, ...changes };
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
    name: 'a stand-in for systemd',
    startOne: (name) => start(instance(name)),
    stopOne: stop,
    async call([verb = '', ...words]) {
      if (verb === 'daemon-reload') return;
      const units = words.filter((word) => !word.startsWith('-'));
      const known = readdirSync(unitFolder);
      for (const unit of units) {
        if (!known.includes(`${unit}.service`)) throw new Error(`Unit ${unit}.service could not be found.`);
      }
      const chosen = instances.filter(({ unit, isExtra }) => units.includes(unit) && !isExtra);
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
    async pidOf(name) {
      const pid = running.get(name)?.pidOf(name);
      if (!pid) throw new Error(`${name} is not running`);
      return pid;
    },
    onMachineOf: null,
    close: async () => void (await Promise.all([...running.keys()].map(stop))),
  };
}
