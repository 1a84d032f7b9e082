import { accessSync, chownSync, constants, mkdirSync } from 'node:fs';
import { openSystemdMachines, SYSTEMD } from './machines.ts';
import { createStandIn } from './stand-in.ts';
import type { Systemd, SystemdOptions } from './systemd.ts';

/** Whether this process can start a systemd in namespaces of its own: as root, on Linux with systemd. */
export function canRunSystemd(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    accessSync(SYSTEMD, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Opens what runs the units, and creates the working folder of each instance. */
export function openSystemd(options: SystemdOptions): Promise<Systemd> {
  const { instances, account } = options;
  for (const { home } of instances) {
    mkdirSync(home, { recursive: true, mode: 0o755 });
    if (account) chownSync(home, account.uid, account.gid);
  }
  return canRunSystemd() ? openSystemdMachines(options) : Promise.resolve(createStandIn(options));
}
