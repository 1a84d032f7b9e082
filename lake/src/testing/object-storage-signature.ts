import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The keys that a server accepts (AWS Signature Version 4, in headers or in the address). */
export interface SignatureKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** S3's error code for an invalid signature. */
export type SignatureError = 'AccessDenied' | 'InvalidAccessKeyId' | 'SignatureDoesNotMatch';

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  /** YYYYMMDD'T'HHMMSS'Z'. */
  date: string;
  /** Seconds until it expires; null in headers. */
  expires: number | null;
  payload: string;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
/** How long a signature in headers is valid. */
const SKEW_MS = 15 * 60_000;

/** Null if the request has a valid signature by these keys for the current time and content. */
export function signatureError(
  call: IncomingMessage,
  keys: SignatureKeys | null,
  now = Date.now(),
): SignatureError | null {
  const url = new URL(call.url ?? '/', 'http://any');
  const claim = claimOf(call, url);
  if (!claim) return 'AccessDenied';
  const [accessKeyId, day = '', region = '', service = ''] = claim.credential.split('/');
  if (!keys || accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  const madeAt = Date.parse(claim.date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  const until = claim.expires === null ? madeAt + SKEW_MS : madeAt + claim.expires * 1000;
  if (!(now <= until && now >= madeAt - SKEW_MS)) return 'AccessDenied';
  const scope = `${day}/${region}/${service}/aws4_request`;
  const hash = createHash('sha256')
    .update(canonicalCall(call, url, claim))
    .digest('hex');
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${keys.secretAccessKey}`, day));
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${claim.date}\n${scope}\n${hash}`).toString('hex');
  return signature === claim.signature ? null : 'SignatureDoesNotMatch';
}

function claimOf(call: IncomingMessage, url: URL): Claim | null {
  const header = call.headers.authorization;
  if (header) {
    const part = (name: string) => new RegExp(`${name}=([^, ]+)`).exec(header)?.[1] ?? '';
    return {
      credential: part('Credential'),
      signedHeaders: part('SignedHeaders'),
      signature: part('Signature'),
      date: String(call.headers['x-amz-date'] ?? ''),
      expires: null,
      payload: String(call.headers['x-amz-content-sha256'] ?? ''),
    };
  }
  const query = (name: string) => url.searchParams.get(name) ?? '';
  if (!query('X-Amz-Signature')) return null;
  return {
    credential: query('X-Amz-Credential'),
    signedHeaders: query('X-Amz-SignedHeaders'),
    signature: query('X-Amz-Signature'),
    date: query('X-Amz-Date'),
    expires: Number(query('X-Amz-Expires')),
    payload: 'UNSIGNED-PAYLOAD',
  };
}

/** The canonical form of the request, which both sides hash; names and values are already encoded. */
function canonicalCall(call: IncomingMessage, url: URL, claim: Claim): string {
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
  const headers = claim.signedHeaders
    .split(';')
    .map(
      (name) =>
        `${name}:${String(call.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('');
  return [call.method, url.pathname, query, headers, claim.signedHeaders, claim.payload].join('\n');
}
