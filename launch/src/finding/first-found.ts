import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Variables } from '../processes/variables.ts';

/** One way to find a program. Returns its path, or the reason it is not available this way. */
export interface Way {
  /** The name shown in the error: 'TEMPORAL_CLI (a path)'. */
  name: string;
  find: () => Promise<{ path: string } | { missing: string }>;
}

/**
 * Tries the ways in order and returns the first path found. If all fail, one error lists each way and why it failed.
 */
export async function firstFound(program: string, ways: readonly Way[]): Promise<string> {
  const misses: string[] = [];
  for (const way of ways) {
    const outcome = await way.find();
    if ('path' in outcome) return outcome.path;
    misses.push(`  ${misses.length + 1}. ${way.name}: ${outcome.missing}`);
  }
  throw new Error(`${program} was found in none of these ways:\n${misses.join('\n')}`);
}

/** The full path of the first of these programs that is on PATH, or null. */
export function findOnPath(names: readonly string[], pathVariable: string | undefined): string | null {
  for (const name of names) {
    for (const folder of (pathVariable ?? '').split(delimiter).filter(Boolean)) {
      const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Our folder inside this user's cache folder, for files that can be downloaded again. */
export function cacheFolder(environment: Variables): string {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, 'tapeline');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'tapeline');
  if (process.platform === 'win32') return join(environment.LOCALAPPDATA ?? homedir(), 'tapeline');
  return join(homedir(), '.cache', 'tapeline');
}

export interface Finished {
  ok: boolean;
  output: string;
  /** The last non-empty line, used as a one-line reason. */
  lastLine: string;
}

/** Runs a program to completion. Never throws: a failure, a missing program, and a timeout all return `ok: false`. */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: { timeoutMs: number; environment?: Variables; folder?: string },
): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      {
        timeout: options.timeoutMs,
        killSignal: 'SIGKILL',
        env: (options.environment ?? process.env) as NodeJS.ProcessEnv,
        cwd: options.folder,
        maxBuffer: 64 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`;
        const lines = output.split('\n').filter((line) => line.trim() !== '');
        const reason = error?.killed
          ? `gave no answer within ${Math.round(options.timeoutMs / 1000)} s`
          : error?.message;
        resolve({ ok: error === null, output, lastLine: (lines.at(-1) ?? reason ?? '').trim() });
      },
    );
  });
}
