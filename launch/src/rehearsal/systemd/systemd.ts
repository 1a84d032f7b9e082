import type { SystemAccount } from '../../postgres/system-account.ts';
import type { Variables } from '../../processes/variables.ts';

/** What runs of a unit: one process on each machine, and what differs on it. */
export interface Instance {
  unit: string;
  name: string;
  /** The machine that it runs on. The commands of the guide are carried out on all of them. */
  machine: string;
  home: string;
  changes: Variables;
  /** Only `startOne` starts it: it stands for a machine that is added later. */
  isExtra?: boolean;
}

export interface SystemdOptions {
  /** The folder of the rehearsal, with `run`, `logs` and `var/lib`. */
  folder: string;
  unitFolder: string;
  instances: readonly Instance[];
  /** The user whose processes the units' user stands for, or null for the current one. */
  account: SystemAccount | null;
  say: (line: string) => void;
}

export interface Systemd {
  /** What carries out the units. */
  readonly name: 'systemd' | 'a stand-in for systemd';
  /** Carries out `systemctl` with these words on each machine. @throws with what systemctl says if it fails */
  call(words: readonly string[]): Promise<void>;
  /** One machine's instance of a unit. */
  startOne(name: string): Promise<void>;
  stopOne(name: string): Promise<void>;
  /** The main process of an instance. @throws if it does not run */
  pidOf(name: string): Promise<number>;
  /**
   * Runs a command as root on the machine of an instance, whose mounts are its own.
   * Null where the units run on no machine of their own.
   */
  readonly onMachineOf: ((name: string, command: string) => Promise<void>) | null;
  close(): Promise<void>;
}
