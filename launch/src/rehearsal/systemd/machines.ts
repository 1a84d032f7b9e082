import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { childrenOf, processNumbers } from '../../processes/usage.ts';
import { RUN_MARK } from '../../testing/marked-processes.ts';
import { until } from '../until.ts';
import type { Instance, Systemd, SystemdOptions } from './systemd.ts';

export const SYSTEMD = '/lib/systemd/systemd';
const CONTROL_GROUPS = '/sys/fs/cgroup';
const BOOT_TIMEOUT_MS = 30_000;
/** Longer than the longest TimeoutStopSec of the units. */
const CALL_TIMEOUT_MS = 120_000;
const run = promisify(execFile);

/**
 * The units that every service needs, empty. The real ones would prepare a whole machine: they mount file systems,
 * remove the contents of /tmp and change settings of the kernel.
 */
const EMPTY_TARGETS = ['boot', 'sysinit', 'basic', 'multi-user', 'network-online', 'shutdown'];

/** Mounts what is private to a machine and becomes its first process. Its arguments: units, stubs, state and mark. */
const BOOT = `set -eu
for folder in /run /tmp /var/tmp; do mount -t tmpfs tmpfs $folder; done
mkdir -p /run/systemd/system
cp -r "$2/." /run/systemd/system
mount --bind "$1" /etc/systemd/system
mount --bind "$3" /var/lib
exec env -i container=rehearsal PATH=/usr/local/bin:/usr/bin:/bin "${RUN_MARK}=$4" \\
  SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/systemd/system \\
  ${SYSTEMD} --system --unit=boot.target --log-target=console --log-level=info --show-status=no`;

/** A systemd as the first process of its own namespaces of processes and mounts. */
interface UnitMachine {
  readonly instances: readonly Instance[];
  readonly run: (...words: string[]) => Promise<string>;
  readonly systemctl: (...words: string[]) => Promise<string>;
  /** The ID outside the machine of a process inside it. Null if it has ended. */
  readonly outside: (pid: number) => number | null;
  readonly close: () => Promise<void>;
}

/** Runs the units as they are: each machine of the instances is a systemd of its own. */
export async function openSystemdMachines(options: SystemdOptions): Promise<Systemd> {
  const { instances } = options;
  const names = [...new Set(instances.map(({ machine }) => machine))];
  const machines = await Promise.all(names.map((name) => openMachine(name, options)));

  const placeOf = (name: string): { machine: UnitMachine; unit: string } => {
    for (const machine of machines) {
      const found = machine.instances.find((instance) => instance.name === name);
      if (found) return { machine, unit: found.unit };
    }
    throw new Error(`there is no instance ${name}`);
  };
  const tell = async (verb: string, name: string): Promise<string> => {
    const { machine, unit } = placeOf(name);
    return machine.systemctl(...verb.split(' '), unit);
  };

  return {
    name: 'systemd',
    async call(words) {
      const units = new Set(instances.map(({ unit }) => unit));
      await Promise.all(
        machines.map((machine) => {
          const here = machine.instances.filter(({ isExtra }) => !isExtra).map(({ unit }) => unit);
          return machine.systemctl(...words.filter((word) => !units.has(word) || here.includes(word)));
        }),
      );
    },
    startOne: async (name) => void (await tell('start', name)),
    stopOne: async (name) => void (await tell('stop', name)),
    async pidOf(name) {
      const inside = Number(await tell('show --property=MainPID --value', name));
      const pid = inside > 0 ? placeOf(name).machine.outside(inside) : null;
      if (pid === null) throw new Error(`${name} is not running`);
      return pid;
    },
    onMachineOf: async (name, command) => void (await placeOf(name).machine.run('sh', '-ec', command)),
    close: async () => void (await Promise.all(machines.map((machine) => machine.close()))),
  };
}

async function openMachine(name: string, options: SystemdOptions): Promise<UnitMachine> {
  const { folder, unitFolder } = options;
  const instances = options.instances.filter(({ machine }) => machine === name);
  const [stubs, state] = [join(folder, 'run', `${name}-units`), join(folder, 'var', `${name}-lib`)];
  for (const each of [stubs, state]) mkdirSync(each, { recursive: true });
  writeStubs(stubs, instances, options);

  const groups = createControlGroups(`${basename(folder)}-${name}`);
  const log = openSync(join(folder, 'logs', `systemd-${name}.log`), 'a');
  const joinGroups = groups.map((group) => `echo $$ > ${group}/cgroup.procs\n`).join('');
  const namespaces = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc'];
  const enter = spawn(
    'sh',
    [
      '-ec',
      `${joinGroups}exec unshare "$@"`,
      'sh',
      ...namespaces,
      ...['sh', '-c', BOOT, 'sh', unitFolder, stubs, state, process.env[RUN_MARK] ?? ''],
    ],
    { stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const ended = once(enter, 'exit');
  const first = await until(
    `systemd of ${name}`,
    async () => {
      if (enter.exitCode !== null) throw new Error(`it ended with ${enter.exitCode}: see its log`);
      return childrenOf(enter.pid ?? -1)[0] ?? null;
    },
    BOOT_TIMEOUT_MS,
  );
  const runInside = async (...words: string[]): Promise<string> => {
    const entering = ['--target', String(first), '--mount', '--pid', ...words];
    const { stdout } = await run('nsenter', entering, { timeout: CALL_TIMEOUT_MS });
    return stdout;
  };
  const systemctl = (...words: string[]) => runInside('systemctl', '--no-pager', ...words);
  await until(
    `systemd of ${name} answers`,
    () =>
      systemctl('is-active', 'boot.target').then(
        () => true,
        () => null,
      ),
    BOOT_TIMEOUT_MS,
  );

  return {
    instances,
    run: runInside,
    systemctl,
    outside: (pid) => processOutside(first, pid),
    async close() {
      // Everything in the machine ends with its first process.
      process.kill(first, 'SIGKILL');
      await ended;
      removeControlGroups(`${basename(folder)}-${name}`);
    },
  };
}

/** Writes the empty targets, and what differs between a rehearsal and the machine that the unit is for. */
function writeStubs(stubs: string, instances: readonly Instance[], { folder, account }: SystemdOptions): void {
  for (const target of EMPTY_TARGETS) {
    writeFileSync(join(stubs, `${target}.target`), '[Unit]\nDefaultDependencies=no\n');
  }
  for (const { unit, name, home, changes } of instances) {
    const log = join(folder, 'logs', `${name}.log`);
    const settings = join(stubs, `${name}.env`);
    writeFileSync(
      settings,
      Object.entries(changes)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    );
    mkdirSync(join(stubs, `${unit}.service.d`));
    const lines = [
      '[Service]',
      ...(account ? [`User=${account.uid}`, `Group=${account.gid}`] : []),
      // The guard of the rehearsal finds its processes by this.
      `Environment=${RUN_MARK}=${process.env[RUN_MARK]}`,
      `EnvironmentFile=${settings}`,
      // It stands for /var/lib/tapeline, which StateDirectory makes writable.
      `ReadWritePaths=${home}`,
      `StandardOutput=append:${log}`,
      `StandardError=append:${log}`,
    ];
    writeFileSync(join(stubs, `${unit}.service.d`, 'rehearsal.conf'), `${lines.join('\n')}\n`);
  }
}

/** The hierarchies in which systemd keeps track of processes: one, or two on machines that still have version 1. */
function createControlGroups(name: string): string[] {
  const hierarchies = ['systemd', 'unified', '.'].map((each) => join(CONTROL_GROUPS, each));
  return hierarchies
    .filter((hierarchy) => existsSync(join(hierarchy, 'cgroup.procs')))
    .map((hierarchy) => {
      mkdirSync(join(hierarchy, name), { recursive: true });
      return join(hierarchy, name);
    });
}

/** Removes the control groups of a machine in all hierarchies; systemd adds some of its own. */
function removeControlGroups(name: string): void {
  const remove = (group: string): void => {
    for (const entry of readdirSync(group, { withFileTypes: true })) {
      if (entry.isDirectory()) remove(join(group, entry.name));
    }
    rmdirSync(group);
  };
  for (const group of [name, ...readdirSync(CONTROL_GROUPS).map((hierarchy) => join(hierarchy, name))]) {
    if (existsSync(join(CONTROL_GROUPS, group))) remove(join(CONTROL_GROUPS, group));
  }
}

function processOutside(first: number, inside: number): number | null {
  const namespaceOf = (pid: number) => readlinkSync(`/proc/${pid}/ns/pid`);
  const namespace = namespaceOf(first);
  const found = processNumbers().find((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return namespaceOf(pid) === namespace && Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]) === inside;
    } catch {
      // It has ended.
      return false;
    }
  });
  return found ?? null;
}
