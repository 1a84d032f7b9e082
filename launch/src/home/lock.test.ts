import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { processIdentity } from '../processes/identity.ts';
import { HomeTaken, lockHome, readHolder } from './lock.ts';

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'tapeline-lock-'));
  homes.push(home);
  return home;
}

/** Starts another process that takes the home and holds it until killed. */
async function holdElsewhere(home: string, state: string) {
  const script = `
    import { lockHome } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
    const lock = await lockHome(${JSON.stringify(home)});
    lock.note({ state: ${JSON.stringify(state)}, url: 'http://localhost:3000' });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('a home that another live process holds is refused, naming the process and its address', async () => {
  const home = newHome();
  const holder = await holdElsewhere(home, 'running');
  try {
    const refusal = await lockHome(home).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HomeTaken);
    expect((refusal as Error).message).toContain(`process ${holder.pid} at http://localhost:3000`);
  } finally {
    await holder.kill();
  }
});

test('a killed holder leaves no lock behind', async () => {
  const home = newHome();
  await (await holdElsewhere(home, 'running')).kill();
  const lock = await lockHome(home);
  expect(readHolder(join(home, 'run', 'holder.json'))).toMatchObject({ pid: process.pid, state: 'starting' });
  lock.release();
});

test('a holder that is stopping is waited for', async () => {
  const home = newHome();
  const holder = await holdElsewhere(home, 'stopping');
  // What is left of the holder once the home is locked.
  const left = lockHome(home).then((lock) => {
    const identity = processIdentity(holder.pid!);
    lock.release();
    return identity;
  });
  await holder.kill();
  expect(await left).toBeNull();
});

test('of many who try in the same moment one gets the home', async () => {
  const home = newHome();
  const tries = await Promise.allSettled([lockHome(home), lockHome(home), lockHome(home)]);
  const locks = tries.filter((attempt) => attempt.status === 'fulfilled');
  expect(locks).toHaveLength(1);
  locks[0]!.value.release();
});

test('a process is told from a later one with the same number, and an ended one is nobody', async () => {
  const home = newHome();
  const holder = await holdElsewhere(home, 'running');
  const identity = processIdentity(holder.pid!);
  expect(identity).not.toBeNull();
  expect(identity).not.toBe(processIdentity(process.pid));
  await holder.kill();
  expect(processIdentity(holder.pid!)).toBeNull();
});
