import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { findOnPath, firstFound, isExecutable, runToEnd, type Way } from '../finding/first-found.ts';
import type { Variables } from '../processes/variables.ts';

/** The shell has no windows, extensions or viewers, and takes two thirds of the processor time of the whole browser. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'google-chrome', 'chromium-browser', 'google-chrome-stable'];

/**
 * Path of a Chromium for the browser tests. The error lists all four options. Tests are never skipped because it is
 * missing.
 */
export function findChromium(environment: Variables, say: (line: string) => void): Promise<string> {
  return firstFound('Chromium (for the browser tests)', chromiumWays(environment, say));
}

/** The four options, in the order in which they are tried. */
export function chromiumWays(environment: Variables, say: (line: string) => void): Way[] {
  return [
    { name: 'CHROMIUM_PATH', find: async () => fromSetting(environment.CHROMIUM_PATH) },
    {
      name: '"chromium-headless-shell", "chromium" or "google-chrome" on PATH',
      find: async () => {
        const path = findOnPath(NAMES, environment.PATH);
        return path === null ? { missing: 'not found' } : { path };
      },
    },
    { name: `Playwright's own download`, find: () => fromPlaywright(environment, say) },
    { name: 'apt-get install chromium-headless-shell (on Debian, as root)', find: () => fromDebian(environment, say) },
  ];
}

function fromSetting(path: string | undefined) {
  if (!path) return { missing: 'not set' };
  // An explicit setting that does not work is an error, not a fallback.
  if (!isExecutable(path)) throw new Error(`CHROMIUM_PATH is ${path}, which is not a program that runs here`);
  return { path };
}

async function fromPlaywright(environment: Variables, say: (line: string) => void) {
  const path = chromium.executablePath();
  if (existsSync(path)) return { path };
  say(`downloading Chromium with Playwright's downloader (once)`);
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  const run = await runToEnd(process.execPath, [cli, 'install', 'chromium'], { timeoutMs: 180_000, environment });
  return existsSync(path) ? { path } : { missing: run.lastLine };
}

async function fromDebian(environment: Variables, say: (line: string) => void) {
  if (!isDebian()) return { missing: 'this system is not Debian' };
  if (process.getuid?.() !== 0) return { missing: 'this user is not root' };
  say('installing Chromium with apt-get (once)');
  const quiet = { timeoutMs: 600_000, environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' } };
  await runToEnd('apt-get', ['update'], quiet);
  let lastLine = '';
  for (const name of [SHELL, 'chromium']) {
    const run = await runToEnd('apt-get', ['install', '-y', '--no-install-recommends', name], quiet);
    const path = findOnPath(NAMES, environment.PATH);
    if (path !== null) return { path };
    lastLine = run.lastLine;
  }
  return { missing: lastLine };
}

function isDebian(): boolean {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}
