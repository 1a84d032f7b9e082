import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { processCommand, processIdentity } from '../processes/identity.ts';
import { processNumbers } from '../processes/usage.ts';

const started: ChildProcess[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Run {
  child: ChildProcess;
  folder: string;
  /** `recorded` is a program in the supervisor's records. `unrecorded` only inherited the run's environment. */
  recorded: number;
  unrecorded: number;
}

/** Simulates a test run: a guarded process with two child programs that never exit by themselves. */
async function startRun(variables: Record<string, string> = {}, ends = ''): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-guard-'));
  folders.push(folder);
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    import { spawn } from 'node:child_process';
    import { guardRun } from ${module('./guard-run.ts')};
    import { recordProcess } from ${module('../processes/pid-files.ts')};
    const runFolder = ${JSON.stringify(join(folder, 'run'))};
    const guard = guardRun({ folder: ${JSON.stringify(folder)}, runFolder });
    const endless = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true }).pid;
    const [recorded, unrecorded] = [endless(), endless()];
    recordProcess(runFolder, { name: 'recorded', pid: recorded, stopSignal: 'SIGTERM', killSignal: 'SIGKILL' });
    console.log(JSON.stringify({ recorded, unrecorded }));
    setInterval(() => {}, 1000);
    ${ends}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  });
  started.push(child);
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
  return { child, folder, ...JSON.parse(line) };
}

const isGone = (pid: number) => processIdentity(pid) === null;

test('a killed test run leaves no process and no folder behind', async () => {
  const run = await startRun();
  expect([isGone(run.recorded), isGone(run.unrecorded)]).toEqual([false, false]);
  run.child.kill('SIGKILL');
  await expect.poll(() => isGone(run.recorded), { timeout: 60_000 }).toBe(true);
  // Unrecorded processes are found by their environment, which is readable only on Linux.
  if (process.platform === 'linux') await expect.poll(() => isGone(run.unrecorded), { timeout: 60_000 }).toBe(true);
  else process.kill(run.unrecorded, 'SIGKILL');
  await expect.poll(() => existsSync(run.folder), { timeout: 60_000 }).toBe(false);
});

test('a test run ends when the program that started it is killed', async () => {
  const starter = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  started.push(starter);
  const run = await startRun({ TEST_RUNNER_PID: String(starter.pid) });
  starter.kill('SIGKILL');
  await expect.poll(() => isGone(run.child.pid ?? 0), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => isGone(run.recorded), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => existsSync(run.folder), { timeout: 60_000 }).toBe(false);
  if (process.platform !== 'linux') process.kill(run.unrecorded, 'SIGKILL');
});

test('what a run leaves in order is left alone', async () => {
  const run = await startRun(
    {},
    `setTimeout(() => { guard.release(); setTimeout(() => process.exit(0), 100); }, 100);`,
  );
  await new Promise((resolve) => run.child.once('exit', resolve));
  const isGuarded = () =>
    processNumbers().some((pid) => {
      const command = processCommand(pid);
      return command?.includes('watch-run.ts') && command.includes(run.folder);
    });
  await expect.poll(isGuarded, { timeout: 60_000 }).toBe(false);
  expect([isGone(run.recorded), isGone(run.unrecorded), existsSync(run.folder)]).toEqual([false, false, true]);
  for (const pid of [run.recorded, run.unrecorded]) process.kill(pid, 'SIGKILL');
});
