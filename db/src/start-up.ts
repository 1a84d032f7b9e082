import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Environment } from './environment.ts';

/** A program cannot start or go on. The message says what is wrong and how to correct it. */
export class CannotStart extends Error {}

type Settings = Pick<Environment, 'home' | 'host' | 'port' | 'monitoring'>;

/** What is wrong with an address that this machine was to listen on; null for other errors. */
function listeningProblem(error: NodeJS.ErrnoException, { host, port, monitoring }: Settings): string | null {
  const { code, syscall, ...rest } = error;
  const { port: taken, hostname } = rest as { port?: number; hostname?: string };
  if (syscall === 'getaddrinfo') {
    const setting = hostname !== host && hostname === monitoring?.host ? 'METRICS_HOST' : 'HOST';
    return `The interface ${hostname} of ${setting} is unknown on this machine. Set 127.0.0.1, 0.0.0.0 or an address of this machine.`;
  }
  if (syscall !== 'listen') return null;
  const isMonitoring = taken !== port && taken === monitoring?.port;
  const [portSetting, hostSetting] = isMonitoring ? ['METRICS_PORT', 'METRICS_HOST'] : ['PORT', 'HOST'];
  if (code === 'EADDRINUSE') {
    return `Another program listens on port ${taken}. End it, or set ${portSetting} to another port.`;
  }
  if (code === 'EADDRNOTAVAIL') {
    const interfaces = isMonitoring ? monitoring?.host : host;
    return `This machine has no interface ${interfaces}. Set ${hostSetting} to 127.0.0.1, 0.0.0.0 or an address of this machine.`;
  }
  if (code === 'EACCES') {
    return `This user cannot listen on port ${taken}. Set ${portSetting} to a port above 1023, and put a proxy in front.`;
  }
  return `This program cannot listen on port ${taken} (${code}). Correct ${portSetting} or ${hostSetting}.`;
}

const FOLDER_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC', 'EDQUOT'];

/** Why a program ends, and how to correct it, in one sentence; null if only its developers can. */
export function startProblem(error: unknown, settings: Settings): string | null {
  if (error instanceof CannotStart || isRefusal(error)) return error.message;
  if (!(error instanceof Error)) return null;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const listening = listeningProblem(error, settings);
  if (listening) return listening;
  if (FOLDER_CODES.includes(code) && path && (path.startsWith(settings.home) || settings.home.startsWith(path))) {
    return `This user cannot write to TAPELINE_HOME, ${settings.home} (${code}). Correct it, or the rights of the folder.`;
  }
  return null;
}

/** Makes a folder and those above it. Node's own `recursive` never ends below /proc. */
function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Makes the folder of a process, if it does not exist.
 * @param mode of the folders that are made; what the process gives new ones if it is not set
 * @throws the system's error if this process cannot write to it
 */
export function requireHome(home: string, mode?: number): void {
  makeFolder(home, mode);
  accessSync(home, constants.W_OK);
}

/**
 * Lets the process end with one line in its log, without a stack trace, when it cannot start, and at once if it cannot
 * write to its folder. What nobody could expect is logged with its details.
 */
export function endWithReason(
  settings: Settings,
  log: { fatal(fields: object, message: string): void },
  end: (code: number) => void = process.exit,
): void {
  process.on('uncaughtException', (error) => {
    const problem = startProblem(error, settings);
    if (problem) log.fatal({}, problem);
    else log.fatal({ err: error }, 'ended by an error that was not expected');
    end(1);
  });
  requireHome(settings.home);
}
