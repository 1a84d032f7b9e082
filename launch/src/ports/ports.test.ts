import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ClaimedPort, claimPort, isPortFree } from './ports.ts';

const servers: Server[] = [];
const claims: ClaimedPort[] = [];

afterEach(async () => {
  for (const claim of claims.splice(0)) claim.release();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

function listen(port: number, host: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve) => server.listen(port, host, resolve));
}

/** A free port below the ephemeral range, so that the system does not give it to another process during a test. */
async function freeNumber(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 30_000);
    const around = await Promise.all([port, port + 1, port + 2, port + 3].map(isPortFree));
    if (around.every(Boolean)) return port;
  }
}

const wish = (change: object) => ({
  purpose: 'the web app',
  setting: 'PORT',
  wanted: undefined,
  standard: 3000,
  ...change,
});

async function claim(change: object, lines: string[] = []): Promise<number> {
  const claimed = await claimPort(wish(change), (line) => lines.push(line));
  claims.push(claimed);
  return claimed.port;
}

test('a free standard port is taken without a word', async () => {
  const standard = await freeNumber();
  const lines: string[] = [];
  expect(await claim({ standard }, lines)).toBe(standard);
  expect(lines).toEqual([]);
});

test.each(['127.0.0.1', '0.0.0.0'])(
  'a standard port that is busy on %s is stepped over with a line that says which was taken',
  async (host) => {
    const standard = await freeNumber();
    await listen(standard, host);
    const lines: string[] = [];
    const taken = await claim({ standard }, lines);
    expect(taken).toBeGreaterThan(standard);
    expect(lines).toEqual([`port ${standard} is in use: the web app uses ${taken} (set PORT to choose another)`]);
  },
);

test('two who choose in the same moment get different ports although neither listens yet', async () => {
  const standard = await freeNumber();
  const ports = await Promise.all([claim({ standard }), claim({ standard }), claim({ standard })]);
  expect(new Set(ports).size).toBe(3);
});

test('a claim that was given back can be taken again', async () => {
  const standard = await freeNumber();
  const first = await claimPort(wish({ standard }), () => {});
  first.release();
  expect(await claim({ standard })).toBe(standard);
});

test('a busy port that was set on purpose is an error that names the setting', async () => {
  const port = await freeNumber();
  await listen(port, '127.0.0.1');
  await expect(claim({ wanted: String(port) })).rejects.toThrow(`PORT is ${port}, but that port is in use`);
});

test('0 asks for any free port', async () => {
  expect(await isPortFree(await claim({ wanted: '0' }))).toBe(true);
});

test.each(['http', '70000', '-1', '80.5'])('"%s" is not a port', async (wanted) => {
  await expect(claim({ wanted })).rejects.toThrow('PORT must be a port number');
});
