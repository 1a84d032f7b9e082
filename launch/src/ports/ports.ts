import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/** A port somebody needs: the environment variable that sets it, what was set (if anything) and the usual number. */
export interface PortWish {
  /** What listens there, for the reader: 'the web app'. */
  purpose: string;
  setting: string;
  wanted: string | undefined;
  standard: number;
}

export interface ClaimedPort {
  port: number;
  /** Gives the claim back. Whoever listens on the port is not touched. */
  release: () => void;
}

/** How far a busy standard port is stepped over before giving up. */
const STEPS = 200;

/**
 * Claims a TCP port until released. A busy standard port is stepped over, and `say` tells which was taken; a busy
 * port that was set on purpose is an error. `0` asks for any free port.
 *
 * The claim itself is the UDP port of the same number, held open: the system gives it to one process only and takes it
 * back when that process dies, so two copies that start in the same moment cannot choose the same TCP port.
 */
export async function claimPort(wish: PortWish, say: (line: string) => void): Promise<ClaimedPort> {
  if (wish.wanted !== undefined && wish.wanted !== '')
    return claimExactPort(wish, parsePort(wish.setting, wish.wanted));
  for (let port = wish.standard; port < Math.min(wish.standard + STEPS, 65_536); port += 1) {
    const claim = await tryClaim(port);
    if (claim === null) continue;
    if (port !== wish.standard)
      say(`port ${wish.standard} is busy: ${wish.purpose} takes ${port} (set ${wish.setting} to choose)`);
    return claim;
  }
  throw new Error(`no free port for ${wish.purpose} from ${wish.standard} on; set ${wish.setting}`);
}

/** Whether nothing listens on the port, on the loopback address or on any. */
export async function isPortFree(port: number): Promise<boolean> {
  if ((await listenFault(port, '127.0.0.1')) !== null) return false;
  const fault = await listenFault(port, '::');
  // A machine without IPv6 refuses '::' for another reason than a busy port.
  if (fault === 'EAFNOSUPPORT' || fault === 'EADDRNOTAVAIL') return (await listenFault(port, '0.0.0.0')) === null;
  return fault === null;
}

/** Any free port the system offers, claimed. */
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
  // An unrelated UDP listener of the same number does not matter to a port asked for on purpose.
  if (await isPortFree(port)) return { port, release: () => {} };
  throw new Error(
    `${wish.setting} is ${port}, but that port is busy: ${wish.purpose} cannot listen there. Choose another or leave ${wish.setting} unset`,
  );
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

function listenFault(port: number, host: string): Promise<string | null> {
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
