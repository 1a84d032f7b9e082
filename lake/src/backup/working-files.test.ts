import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { inFolder, LEFT_MS } from './working-files.ts';

function workFolder(): string {
  const work = mkdtempSync(join(tmpdir(), 'work-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  return work;
}

test('a working folder is removed, also after an error', async () => {
  const work = workFolder();
  await inFolder(work, 'opened', async (folder) => {
    writeFileSync(join(folder, 'table'), 'rows');
    expect(readdirSync(work)).toHaveLength(1);
  });
  expect(readdirSync(work)).toEqual([]);
  const fails = inFolder(work, 'opened', () => Promise.reject(new Error('The disk is full')));
  await expect(fails).rejects.toThrow('The disk is full');
  expect(readdirSync(work)).toEqual([]);
});

test('what a killed process has left is removed later, and nothing else', async () => {
  const work = workFolder();
  for (const name of ['making-a', 'opened-b', 'restore-test-c', 'objects']) mkdirSync(join(work, name));
  const left = (now: number) => inFolder(work, 'opened', async () => readdirSync(work).length - 1, now);
  expect(await left(Date.now() + LEFT_MS - 60_000)).toBe(4);
  expect(await left(Date.now() + LEFT_MS + 60_000)).toBe(1);
  expect(readdirSync(work)).toEqual(['objects']);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s removes the working folder before the process ends', async (signal) => {
  const work = workFolder();
  const module = fileURLToPath(new URL('./working-files.ts', import.meta.url));
  const script = `
    const { inFolder } = await import(${JSON.stringify(module)});
    await inFolder(${JSON.stringify(work)}, 'opened', async (folder) => {
      process.stdout.write(folder);
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(readdirSync(work)).toHaveLength(1);
  child.kill(signal);
  const [code] = await once(child, 'exit');
  expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
  expect(readdirSync(work)).toEqual([]);
});
