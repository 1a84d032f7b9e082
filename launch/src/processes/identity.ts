import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { statOf } from './usage.ts';

/**
 * Distinguishes a process from a later one with the same process ID by its start time, as reported by the system. Null
 * if no such process is running. A zombie (ended but not yet reaped) counts as not running.
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

/** The command line of a running process, with arguments separated by spaces. Null if it cannot be read. */
export function processCommand(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Whether this exact process is still running. */
export function lives(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

function linuxIdentity(pid: number): string | null {
  try {
    const fields = statOf(pid);
    const [state] = fields;
    if (state === 'Z' || state === 'X') return null;
    // Field 22 of the file is the start time in clock ticks since boot. The boot ID distinguishes one boot from the
    // next.
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
