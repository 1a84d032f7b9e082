import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';

/** Largest body of a request that declares no other limit. */
export const USUAL_BODY_BYTES = 1024 * 1024;
/** The same limit for requests before sign-in. */
export const SIGN_IN_BODY_BYTES = 16 * 1024;

export interface BodyPace {
  /** How long the sender can be silent. */
  readonly idleMs: number;
  /** How long a body can take before its average pace is checked. */
  readonly freeMs: number;
  /** The minimum average pace after that time. */
  readonly bytesPerSecond: number;
}

/** Slow enough for any connection that can upload a tape at all. */
export const USUAL_PACE: BodyPace = { idleMs: 30_000, freeMs: 30_000, bytesPerSecond: 2_000 };

/** How long the unread rest of a body is still read. A sender that is cut off would not receive the error. */
const LINGER_MS = 10_000;

const inWords = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1024)} kB`;

/**
 * After a request is answered, keeps reading the unread rest of its body for a while, and then closes the connection.
 */
export function endUnreadBody(request: IncomingMessage, response: ServerResponse, lingerMs = LINGER_MS): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    request.on('error', () => undefined).resume();
    const timer = setTimeout(() => request.destroy(), lingerMs).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

/** A request's body, counted as it arrives. Nothing is read until the stream is consumed. */
export interface RequestBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Raises the limit. Called by an endpoint or screen that accepts more, once the sender is known. */
  allow(bytes: number): void;
}

/**
 * Opens the body of a request. Its stream fails with a Refusal if the body is larger than allowed, arrives too slowly
 * or is truncated.
 * @param maxBytes the limit until more is allowed
 */
export function openRequestBody(request: IncomingMessage, maxBytes: number, pace: BodyPace = USUAL_PACE): RequestBody {
  let allowed = maxBytes;
  async function* counted(): AsyncGenerator<Uint8Array> {
    const chunks = request.iterator({ destroyOnReturn: false });
    let seen = 0;
    let waitedMs = 0;
    try {
      for (;;) {
        const askedAt = performance.now();
        const next = await within(chunks.next(), pace.idleMs);
        if (next.done) return;
        // Count only the time spent waiting for the sender, not the reader's time.
        waitedMs += performance.now() - askedAt;
        const chunk = next.value as Uint8Array;
        seen += chunk.byteLength;
        if (seen > allowed) {
          throw new Refusal('badRequest', `The body is too large: it may have ${inWords(allowed)}. Send less at once.`);
        }
        if (waitedMs > pace.freeMs + (seen / pace.bytesPerSecond) * 1000) throw tooSlow();
        yield chunk;
      }
    } finally {
      // Not awaited, because it only resolves once the next chunk arrives.
      chunks.return?.().catch(() => undefined);
    }
  }
  return {
    stream: NodeReadableStream.from(counted()) as ReadableStream<Uint8Array>,
    allow(bytes) {
      allowed = Math.max(allowed, bytes);
    },
  };
}

const tooSlow = () => new Refusal('badRequest', 'The body came too slowly. Send it again over a faster connection.');

async function within<Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('badRequest', 'The body broke off before its end. Send it again.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
