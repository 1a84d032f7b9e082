import { isIP } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import type { Environment } from '@tapeline/db/environment.ts';

const ANSWER_WITHIN_MS = 5_000;

type Server = 'site' | 'storage' | 'temporal';
type Addresses = Pick<Environment, 'publicUrl' | 's3' | 'temporalConnection'>;

/** The servers that are reached over TLS, and how. */
function serversOf({ publicUrl, s3, temporalConnection: { address, tls } }: Addresses): [Server, ConnectionOptions][] {
  const ofUrl = (url: string | undefined): ConnectionOptions | null => {
    const { protocol, hostname, port } = new URL(url ?? 'http://localhost');
    if (protocol !== 'https:') return null;
    const host = hostname.replace(/^\[|\]$/g, '');
    return { host, port: Number(port || 443), servername: isIP(host) ? '' : host };
  };
  const temporal = tls ? ofUrl(`https://${address}`) : null;
  const { serverNameOverride, clientCertPair } = typeof tls === 'object' ? tls : {};
  const all = [
    ['site', ofUrl(publicUrl)],
    ['storage', ofUrl(s3?.endpoint)],
    [
      'temporal',
      temporal && {
        ...temporal,
        ...(serverNameOverride ? { servername: serverNameOverride } : {}),
        ...(clientCertPair ? { cert: clientCertPair.crt, key: clientCertPair.key } : {}),
      },
    ],
  ] as const;
  return all.flatMap(([server, options]) => (options ? [[server, options]] : []));
}

/** When the certificate that the server shows expires. Whether it is trusted does not matter here. */
function expiryOf(options: ConnectionOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...options, rejectUnauthorized: false });
    const late = setTimeout(() => socket.destroy(new Error('The server does not answer')), ANSWER_WITHIN_MS);
    socket.once('secureConnect', () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to);
      socket.destroy();
      if (Number.isNaN(ends)) reject(new Error('The server shows no certificate'));
      else resolve(ends / 1000);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(late);
      reject(new Error('The server ended the connection'));
    });
  });
}

/**
 * Tells when the certificates of the servers that users and this process reach over TLS expire, in seconds since 1970.
 * For a server that does not answer it tells what it last saw, so that an alert stays; 0 if it never answered.
 */
export function watchCertificates(
  addresses: Addresses,
): () => Promise<(readonly [expires: number, { server: Server }])[]> {
  const seen = new Map<Server, number>();
  return () =>
    Promise.all(
      serversOf(addresses).map(async ([server, options]) => {
        const ends = await expiryOf(options).catch(() => seen.get(server) ?? 0);
        seen.set(server, ends);
        return [ends, { server }] as const;
      }),
    );
}
