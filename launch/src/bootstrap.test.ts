import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasInstalled } from '../bootstrap.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapeline-bootstrap-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('commands install nothing after an installation by pnpm itself, until the lockfile changes or was installed in part', () => {
  const lock = (content: string) => writeFileSync(join(folder, 'pnpm-lock.yaml'), content);
  const installed = (content: string) => writeFileSync(join(folder, 'node_modules', '.pnpm', 'lock.yaml'), content);
  expect(hasInstalled(folder)).toBe(false);
  lock('importers: all\n');
  expect(hasInstalled(folder)).toBe(false);
  mkdirSync(join(folder, 'node_modules', '.pnpm'), { recursive: true });
  // As with --prod.
  installed('importers: some\n');
  expect(hasInstalled(folder)).toBe(false);
  installed('importers: all\n');
  expect(hasInstalled(folder)).toBe(true);
  lock('importers: more\n');
  expect(hasInstalled(folder)).toBe(false);
});
