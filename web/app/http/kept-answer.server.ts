import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

interface Kept {
  readonly etag: string;
  readonly bodies: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

type Encoding = 'br' | 'gzip' | 'identity';

/** The best encoding that the caller accepts. */
function encodingFor(request: Request): Encoding {
  const accepted = new Set(
    (request.headers.get('accept-encoding') ?? '')
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
      .map((one) => one.split(';')[0]),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
}

async function keep(text: string): Promise<Kept> {
  const identity = Uint8Array.from(Buffer.from(text));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  // Weak: its bodies in several encodings share it.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, bodies: { identity, br: Uint8Array.from(br), gzip: Uint8Array.from(zipped) } };
}

/** Tags are compared without the mark of a weak one. */
const strong = (etag: string): string => etag.replace(/^W\//, '');

/**
 * Serves a large text that is the same for every caller. It is made and compressed once, before the first request: it takes
 * most of a second, in which no other caller is answered. Anonymous callers cannot make the server repeat that work. A
 * caller that has it gets 304.
 */
export function keptAnswer(type: string, make: () => string): (request: Request) => Promise<Response> {
  const begin = () => Promise.resolve().then(() => keep(make()));
  let kept: Promise<Kept> | null = begin();
  // Whoever asks gets the error; the next one has it made again.
  const forget = () => {
    kept = null;
  };
  kept.catch(forget);
  return async (request) => {
    kept ??= begin();
    const { etag, bodies } = await kept.catch((error: unknown) => {
      forget();
      throw error;
    });
    const headers = new Headers({ 'cache-control': 'public, no-cache', etag, vary: 'Accept-Encoding' });
    const known = (request.headers.get('if-none-match') ?? '').split(',').map((one) => strong(one.trim()));
    if (known.includes(strong(etag)) || known.includes('*')) return new Response(null, { status: 304, headers });
    const encoding = encodingFor(request);
    headers.set('content-type', type);
    headers.set('content-length', String(bodies[encoding].byteLength));
    if (encoding !== 'identity') headers.set('content-encoding', encoding);
    return new Response(bodies[encoding], { headers });
  };
}
