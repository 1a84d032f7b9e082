import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { expect, onTestFinished, test } from 'vitest';
import { CannotStart, requireHome, startProblem } from './start-up.ts';

const settings = { home: '/var/lib/tapeline', host: '192.0.2.7', port: 3000, monitoring: null };

const listening = (server: Server, port: number, host: string): Promise<NodeJS.ErrnoException | null> =>
  new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => resolve(null));
  });

async function takenPort(): Promise<number> {
  const server = createServer();
  expect(await listening(server, 0, '127.0.0.1')).toBeNull();
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a port that is taken is a sentence with the setting', async () => {
  const port = await takenPort();
  const error = await listening(createServer(), port, '127.0.0.1');
  const words = (setting: string) =>
    `Another program listens on port ${port}. End it, or set ${setting} to another port.`;
  expect(startProblem(error, { ...settings, port })).toBe(words('PORT'));
  expect(startProblem(error, { ...settings, monitoring: { port, host: '127.0.0.1' } })).toBe(words('METRICS_PORT'));
});

test('an interface of another machine, or one that is unknown, is a sentence with the setting', async () => {
  const error = await listening(createServer(), 3000, settings.host);
  expect(startProblem(error, settings)).toMatch(
    /^This machine has no interface 192\.0\.2\.7\. Set HOST to 127\.0\.0\.1/,
  );
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND no.such.host'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'no.such.host',
  });
  expect(startProblem(unknown, { ...settings, host: 'no.such.host' })).toMatch(/no\.such\.host of HOST is unknown/);
  const monitoring = { port: 9464, host: 'no.such.host' };
  expect(startProblem(unknown, { ...settings, monitoring })).toMatch(/no\.such\.host of METRICS_HOST is unknown/);
});

test('a folder that cannot exist is refused at once, and one that can is made with those above it', () => {
  const home = '/proc/none/home';
  const refused = () => requireHome(home);
  expect(refused).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  try {
    refused();
  } catch (error) {
    expect(startProblem(error, { ...settings, home })).toMatch(/^This user cannot write to TAPELINE_HOME/);
  }
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  requireHome(join(folder, 'above', 'home'));
  requireHome(join(folder, 'above', 'home'));
});

test('a folder that cannot be written is a sentence; that of another program is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const home = join(folder, 'missing', 'home');
  const error = await mkdir(home).catch((caught: unknown) => caught);
  expect(startProblem(error, { ...settings, home })).toBe(
    `This user cannot write to TAPELINE_HOME, ${home} (ENOENT). Correct it, or the rights of the folder.`,
  );
  expect(startProblem(error, settings)).toBeNull();
});

test('what explains itself is taken over, and a bug is not explained', () => {
  expect(startProblem(new CannotStart('PostgreSQL does not answer.'), settings)).toBe('PostgreSQL does not answer.');
  expect(startProblem(new Refusal('serverError', 'The storage is full'), settings)).toBe('The storage is full');
  expect(startProblem(new TypeError('undefined is not a function'), settings)).toBeNull();
});
