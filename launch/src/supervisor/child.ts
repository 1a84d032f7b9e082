import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openLogFile } from './log-file.ts';
import type { Command } from './service.ts';

/** Number of output lines to keep for the error message when a child fails. */
const TAIL_LINES = 25;
const TAIL_LINE_LETTERS = 400;

/** Called with each line that a child writes, and the stream it was written to. */
export type OnLine = (line: string, stream: 'out' | 'error') => void;

/** One run of a program. */
export interface Child {
  pid: number;
  /** Unix time in milliseconds. */
  startedAt: number;
  /** Resolves with the reason it ended ('exit code 1', 'signal SIGKILL'). Never rejects. */
  ended: Promise<string>;
  hasEnded: () => boolean;
  /** The last lines it wrote. */
  tail: () => string[];
  signal: (name: NodeJS.Signals) => void;
}

/** Starts the program. Its output goes to `<logFolder>/<name>.log` and, line by line, to `onLine`. */
export function startChild(name: string, command: Command, logFolder: string, onLine: OnLine): Child {
  const args = command.followsSupervisor
    ? ['--import', new URL('./follow-supervisor.mjs', import.meta.url).href, ...command.args]
    : [...command.args];
  const child = spawn(command.executable, args, {
    env: command.environment ?? process.env,
    cwd: command.folder,
    stdio: ['ignore', 'pipe', 'pipe', command.followsSupervisor ? 'ipc' : 'ignore'],
    // A separate process group, so that Ctrl-C reaches only the supervisor, which then stops everything in order.
    detached: process.platform !== 'win32',
    ...(command.account && { uid: command.account.uid, gid: command.account.gid, cwd: command.folder ?? '/' }),
  });
  const lines: string[] = [];
  const log = openLogFile(join(logFolder, `${name}.log`));
  const take: OnLine = (line, stream) => {
    log.write(line);
    lines.push(line.length > TAIL_LINE_LETTERS ? `${line.slice(0, TAIL_LINE_LETTERS)}…` : line);
    if (lines.length > TAIL_LINES) lines.shift();
    onLine(line, stream);
  };
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => take(line, 'out'));
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', (line) => take(line, 'error'));
  let over = false;
  const ended = howItEnds(child, take).then((how) => {
    over = true;
    log.end();
    return how;
  });
  return {
    pid: child.pid ?? -1,
    startedAt: Date.now(),
    ended,
    hasEnded: () => over,
    tail: () => [...lines],
    signal: (signal) => send(child, signal),
  };
}

function howItEnds(child: ChildProcess, take: OnLine): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      take(error.message, 'error');
      if (child.pid === undefined) resolve('could not be started');
    });
    // Use 'exit' instead of 'close': a grandchild can hold the pipes open after the child has exited.
    child.once('exit', (code, signal) =>
      setImmediate(() => resolve(signal ? `signal ${signal}` : `exit code ${code}`)),
    );
  });
}

/** SIGKILL goes to the whole process group, so that no descendant of the child outlives it. */
function send(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (signal === 'SIGKILL' && process.platform !== 'win32') process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
