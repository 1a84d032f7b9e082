import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a log that reaches its limit is replaced, and only the one before it is kept', async () => {
  const file = join(folder, 'logs', 'web.log');
  const log = openLogFile(file, 1_000);
  const lines = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(99, '.'));
  for (const line of lines) {
    log.write(line);
    // Each line reaches its file before the next.
    await expect.poll(() => textOf(join(folder, 'logs')).includes(line)).toBe(true);
  }
  log.end();
  expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['web.log', 'web.log.1']);
  for (const name of ['web.log', 'web.log.1']) {
    expect(statSync(join(folder, 'logs', name)).size).toBeLessThanOrEqual(1_100);
  }
  const kept = `${readFileSync(`${file}.1`, 'utf8')}${readFileSync(file, 'utf8')}`.trimEnd().split('\n');
  expect(kept).toEqual(lines.slice(-kept.length));
  expect(kept.length).toBeGreaterThanOrEqual(11);
});

test('a log that is too large at the start is replaced, and a smaller one is continued', async () => {
  const [large, small] = [join(folder, 'large.log'), join(folder, 'small.log')];
  writeFileSync(large, `${'x'.repeat(1_000)}\n`);
  writeFileSync(small, 'before\n');
  for (const file of [large, small]) {
    const log = openLogFile(file, 1_000);
    log.write('now');
    log.end();
  }
  await expect.poll(() => readFileSync(small, 'utf8')).toBe('before\nnow\n');
  await expect.poll(() => readFileSync(large, 'utf8')).toBe('now\n');
  expect(statSync(`${large}.1`).size).toBe(1_001);
});

const textOf = (logs: string): string =>
  readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('');
