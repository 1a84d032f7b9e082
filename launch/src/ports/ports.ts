import { createSocket, type Socket } from 'node:dgram';
import { connect, createServer } from 'node:net';

/** A port that is needed: the environment variable that sets it, its value (if any), and the default port. */
export interface PortWish {
  /** What listens on the port, for messages: 'the web app'. */
  purpose: string;
  setting: string;
  wanted: string | undefined;
  standard: number;
}

export interface ClaimedPort {
  port: number;
  /** Releases the claim. Does not affect a program that listens on the port. */
  release: () => void;
}

/** How many ports to try, starting at the default, before giving up. */
const STEPS = 200;

/**
 * Claims a TCP port until released. If the default port is busy, tries the next ones and reports through `say` which
 * port was used. A busy port that was set explicitly is an error. `0` requests any free port.
 *
 * The claim is an open UDP port with the same number. The system gives it to only one process and frees it when that
 * process dies, so two copies that start at the same moment cannot choose the same TCP port.
 */
export async function claimPort(wish: PortWish, say: (line: string) => void): Promise<ClaimedPort> {
  if (wish.wanted !== undefined && wish.wanted !== '')
    return claimExactPort(wish, parsePort(wish.setting, wish.wanted));
  for (let port = wish.standard; port < Math.min(wish.standard + STEPS, 65_536); port += 1) {
    const claim = await tryClaim(port);
    if (claim === null) continue;
    if (port !== wish.standard)
      say(`port ${wish.standard} is in use: ${wish.purpose} uses ${port} (set ${wish.setting} to choose another)`);
    return claim;
  }
  throw new Error(`no free port for ${wish.purpose} from ${wish.standard}; set ${wish.setting}`);
}

/** Whether nothing listens on the port, either on the loopback address or on all interfaces. */
export async function isPortFree(port: number): Promise<boolean> {
  if ((await listenProblem(port, '127.0.0.1')) !== null) return false;
  const problem = await listenProblem(port, '::');
  // A machine without IPv6 rejects '::' for a reason other than a busy port.
  if (problem === 'EAFNOSUPPORT' || problem === 'EADDRNOTAVAIL') return (await listenProblem(port, '0.0.0.0')) === null;
  return problem === null;
}

/** Whether a program on this machine accepts connections on the port. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 2000 });
    const end = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('connect', () => end(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => end(false));
  });

/** Claims any free port that the system offers. */
export async function claimAnyPort(): Promise<ClaimedPort> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const claim = await tryClaim(await offeredPort());
    if (claim !== null) return claim;
  }
  throw new Error('the system offers no free port');
}

async function claimExactPort(wish: PortWish, port: number): Promise<ClaimedPort> {
  if (port === 0) return claimAnyPort();
  const claim = await tryClaim(port);
  if (claim !== null) return claim;
  // An unrelated UDP listener with the same number does not matter for a port that was requested explicitly.
  if (await isPortFree(port)) return { port, release: () => {} };
  throw new Error(`${wish.setting} is ${port}, but that port is in use. Choose another or leave ${wish.setting} unset`);
}

async function tryClaim(port: number): Promise<ClaimedPort | null> {
  const socket = await bindDatagram(port);
  if (socket === null) return null;
  if (await isPortFree(port)) return { port, release: () => socket.close() };
  socket.close();
  return null;
}

function parsePort(setting: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`${setting} must be a port number from 0 to 65535, not "${text}"`);
}

function bindDatagram(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => {
      socket.unref();
      resolve(socket);
    });
  });
}

function listenProblem(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function offeredPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no address')),
      );
    });
  });
}
