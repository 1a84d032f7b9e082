import { connect } from 'node:net';
import type { Target } from '../client/caller.ts';

/**
 * Sends bytes that no HTTP client would send. Reads the response until the server closes the connection, or for
 * `waitMs`.
 * @returns the status of the first response (0 for none) and whether the server closed the connection
 */
export function sendRaw(
  target: Target,
  bytes: string | Uint8Array,
  waitMs = 10_000,
): Promise<{ status: number; text: string; isClosed: boolean }> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(pieces).toString('latin1');
      resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text, isClosed });
    };
    const timer = setTimeout(() => end(false), waitMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (piece) => {
      pieces.push(piece);
      // On a connection that stays open, complete response headers are enough.
      if (Buffer.concat(pieces).includes('\r\n\r\n')) end(false);
    });
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}
