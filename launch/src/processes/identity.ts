import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/**
 * What tells one run of a process from another that later gets the same number: the time it started, as the system
 * states it. Null when no such process lives; a zombie (ended, not yet collected) counts as dead.
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (process.platform === 'linux') return linuxIdentity(pid);
  if (process.platform === 'win32') return signalReaches(pid) ? `alive since boot ${bootHour()}` : null;
  try {
    const state = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return state === '' || state.startsWith('Z') ? null : state.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}

/** The command line of a living process, words separated by spaces; null when it cannot be read. */
export function processCommand(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Whether this very run of the process still lives. */
export function lives(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

function linuxIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command stands in brackets and may itself hold spaces and brackets: fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    if (state === 'Z' || state === 'X') return null;
    // Field 22 of the file: clock ticks between boot and start. The boot id tells one boot from the next.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch {
    return null;
  }
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const bootHour = () => Math.round((Date.now() / 1000 - uptime()) / 3600);
