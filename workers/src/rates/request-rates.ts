import { Refusal } from '@tapeline/domain/errors/refusal.ts';

const MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 20_000;

/** A failure that may pass: the request is worth another attempt. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}

/**
 * Requests the rates from the service. Redirects are not followed, and the size and the time are limited.
 * @param url from the configuration, never from a user
 * @throws ServiceUnavailable if there is no answer; Refusal if the answer cannot be used
 */
export async function requestRates(url: string, signal: AbortSignal, timeoutMs = TIMEOUT_MS): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
      headers: { accept: 'application/xml, text/xml, application/json' },
    });
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof Refusal || error instanceof ServiceUnavailable || signal.aborted) throw error;
    if (timeout.aborted) {
      throw new ServiceUnavailable(`The service did not answer within ${timeoutMs / 1000} seconds`, { cause: error });
    }
    throw new ServiceUnavailable('The service cannot be reached', { cause: error });
  }
}

async function readAnswer(response: Response): Promise<string> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    throw new Refusal(
      'badRequest',
      `The service redirects to another address (status ${status}). Configure that address`,
    );
  }
  if (!response.ok) {
    await response.body?.cancel();
    const message = `The service answered with status ${status}`;
    throw status >= 500 || status === 429 ? new ServiceUnavailable(message) : new Refusal('badRequest', message);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) throw new Refusal('badRequest', 'The answer is larger than 1 MB');
    parts.push(part);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new Refusal('badRequest', 'The answer is not text in UTF-8', { cause });
  }
}
