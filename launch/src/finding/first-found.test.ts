import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cachedTemporalCli, temporalCliWays } from '../temporal/find-cli.ts';
import { chromiumWays } from '../testing/find-chromium.ts';
import { findOnPath, firstFound, runToEnd } from './first-found.ts';

const folder = mkdtempSync(join(tmpdir(), 'tapeline-finding-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const silent = () => {};

test('ways are tried in order and the first that leads to the program ends the search', async () => {
  const asked: string[] = [];
  const way = (name: string, outcome: { path: string } | { missing: string }) => ({
    name,
    find: async () => {
      asked.push(name);
      return outcome;
    },
  });
  const ways = [way('first', { missing: 'gone' }), way('second', { path: '/there' }), way('third', { path: '/late' })];
  expect(await firstFound('It', ways)).toBe('/there');
  expect(asked).toEqual(['first', 'second']);
});

test('the error names every way and what became of it', async () => {
  const ways = ['one', 'two'].map((name) => ({ name, find: async () => ({ missing: `${name} is gone` }) }));
  await expect(firstFound('It', ways)).rejects.toThrow(
    'It was found in none of these ways:\n  1. one: one is gone\n  2. two: two is gone',
  );
});

test('Temporal is looked for in TEMPORAL_CLI, on PATH, in the cache, by the SDK and by Go, in this order', () => {
  expect(temporalCliWays({}, silent).map(({ name }) => name)).toEqual([
    'TEMPORAL_CLI (a path)',
    '"temporal" on PATH',
    `the copy in the user's cache folder`,
    `the Temporal SDK's own downloader`,
    'building it with Go (go install)',
  ]);
});

test('a program called temporal that is not the Temporal CLI is passed over', async () => {
  const other = program('temporal', 'echo a calendar of 1998');
  const onPath = temporalCliWays({ PATH: folder }, silent)[1]!;
  expect(await onPath.find()).toEqual({ missing: `${other} is not a working Temporal CLI` });
  program('temporal', 'echo temporal version 1.5.1');
  expect(await onPath.find()).toEqual({ path: other });
});

test('a setting made on purpose that does not work is an error and not passed over', async () => {
  const [temporal] = temporalCliWays({ TEMPORAL_CLI: join(folder, 'nothing') }, silent);
  await expect(temporal!.find()).rejects.toThrow('TEMPORAL_CLI is');
  const [chromium] = chromiumWays({ CHROMIUM_PATH: join(folder, 'nothing') }, silent);
  await expect(chromium!.find()).rejects.toThrow('CHROMIUM_PATH is');
});

test('the cached copy stands in the cache folder the user chose, under its version', () => {
  expect(cachedTemporalCli({ XDG_CACHE_HOME: '/elsewhere' })).toMatch(
    /^\/elsewhere\/tapeline\/temporal-\d+\.\d+\.\d+\/temporal/,
  );
});

test('Chromium is looked for in CHROMIUM_PATH, on PATH, by Playwright and by apt-get, in this order', async () => {
  const ways = chromiumWays({ PATH: folder }, silent);
  expect(ways.map(({ name }) => name)).toEqual([
    'CHROMIUM_PATH',
    '"chromium-headless-shell", "chromium" or "google-chrome" on PATH',
    `Playwright's own download`,
    'apt-get install chromium-headless-shell (on Debian, as root)',
  ]);
  expect(await ways[1]!.find()).toEqual({ missing: 'not found' });
  const path = program('google-chrome', 'true');
  expect(await ways[1]!.find()).toEqual({ path });
});

test('only executable files count on PATH, and its order decides', () => {
  writeFileSync(join(folder, 'plain'), '');
  expect(findOnPath(['plain'], folder)).toBeNull();
  expect(findOnPath(['absent', 'google-chrome'], ['/nowhere', folder].join(delimiter))).toBe(
    join(folder, 'google-chrome'),
  );
});

test('a program that fails, hangs or is missing is told apart from one that works, without throwing', async () => {
  expect(await runToEnd(program('fine', 'echo well'), [], { timeoutMs: 5000 })).toMatchObject({
    ok: true,
    lastLine: 'well',
  });
  const failed = await runToEnd(program('bad', 'echo no network >&2; exit 3'), [], { timeoutMs: 5000 });
  expect(failed).toMatchObject({ ok: false, lastLine: 'no network' });
  const hung = await runToEnd(program('slow', 'exec sleep 20'), [], { timeoutMs: 200 });
  expect(hung.ok).toBe(false);
  expect(hung.lastLine).toMatch(/gave no answer/);
  expect((await runToEnd(join(folder, 'absent'), [], { timeoutMs: 5000 })).ok).toBe(false);
});
