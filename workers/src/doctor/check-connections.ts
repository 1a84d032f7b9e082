import { connect } from 'node:net';
import type { Environment } from '@tapeline/db/environment.ts';
import { connectionProblem } from '@tapeline/db/service-problems.ts';
import { requestRates } from '../rates/request-rates.ts';

const ANSWER_MS = 10_000;

interface Asked {
  /** "The identity provider". */
  readonly service: string;
  readonly setting: string;
}

/** A service at an address from the settings, for sentences about it. */
function addressOf(url: string, asked: Asked) {
  const { hostname: host, port, protocol } = new URL(url);
  return { ...asked, host, port: port || (protocol === 'https:' ? 443 : 80) };
}

const unusable = (url: string, { service, setting }: Asked, error: unknown): string =>
  `${service} at ${new URL(url).host} cannot be used: ${error instanceof Error ? error.message : error}. Check ${setting}.`;

/** The problem of a service that does not answer, or what the answer shows. */
async function ask(
  url: string,
  asked: Asked,
  read: (answer: Response) => Promise<string | null> | string | null,
  headers: Record<string, string> = {},
): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    return await read(await fetch(url, { headers, redirect: 'manual', signal }));
  } catch (error) {
    return connectionProblem(error, addressOf(url, asked)) ?? unusable(url, asked, error);
  }
}

/** Whether people can sign in with the identity provider: its configuration must name the issuer as it is set. */
export function identityProviderProblem({ issuer }: NonNullable<Environment['oidc']>): Promise<string | null> {
  const asked = { service: 'The identity provider', setting: 'OIDC_ISSUER' };
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return ask(url, asked, async (answer) => {
    const configuration = (await answer.json().catch(() => null)) as { issuer?: unknown } | null;
    if (!answer.ok || typeof configuration?.issuer !== 'string') {
      return `The identity provider has no configuration at ${url} (status ${answer.status}). Correct OIDC_ISSUER.`;
    }
    return configuration.issuer === issuer
      ? null
      : `The identity provider calls itself ${configuration.issuer}. Set OIDC_ISSUER to exactly this.`;
  });
}

/** Whether currency rates can be refreshed. What they say is checked when they are. */
export async function ratesProblem(url: string): Promise<string | null> {
  const asked = { service: 'The service of currency rates', setting: 'RATES_URL' };
  try {
    await requestRates(url, AbortSignal.timeout(ANSWER_MS));
    return null;
  } catch (error) {
    return connectionProblem(error, addressOf(url, asked)) ?? unusable(url, asked, error);
  }
}

/** Whether the endpoint of chats answers and accepts the key. Nothing is asked of a model, which may cost money. */
export function chatModelProblem({ url, key }: NonNullable<Environment['chatModel']>): Promise<string | null> {
  const asked = { service: 'The endpoint of chats', setting: 'CHAT_MODEL_URL' };
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  return ask(
    `${url.replace(/\/$/, '')}/models`,
    asked,
    async (answer) => {
      await answer.body?.cancel();
      return [401, 403].includes(answer.status)
        ? 'The endpoint of chats refuses the key. Correct CHAT_MODEL_KEY.'
        : null;
    },
    headers,
  );
}

/** Whether anything listens where traces are sent. */
export function tracesProblem(url: string): Promise<string | null> {
  const { host, port, ...asked } = addressOf(url, {
    service: 'The receiver of traces',
    setting: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  });
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port: Number(port), timeout: ANSWER_MS });
    const end = (error?: Error) => {
      socket.destroy();
      resolve(error ? (connectionProblem(error, { ...asked, host, port }) ?? unusable(url, asked, error)) : null);
    };
    socket.once('connect', () => end());
    socket.once('error', end);
    socket.once('timeout', () => end(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  });
}

/** What is wrong with the address that users open; or a note while nothing answers there, as before the first start. */
export async function publicAddressFinding(publicUrl: string): Promise<{ problem?: string; note?: string }> {
  const asked = { service: 'The web app', setting: 'PUBLIC_URL' };
  const foreign = `What answers at ${publicUrl} is not Tapeline. Correct PUBLIC_URL, or where the proxy passes calls on to.`;
  try {
    const answer = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    const isOurs = answer.ok && (await answer.text()) === 'ok\n';
    if ([502, 503, 504].includes(answer.status)) {
      return { note: `The proxy at ${publicUrl} reaches no web process (status ${answer.status}).` };
    }
    return isOurs ? {} : { problem: foreign };
  } catch (error) {
    const sentence = connectionProblem(error, addressOf(publicUrl, asked)) ?? unusable(publicUrl, asked, error);
    return /certificate/i.test(sentence) ? { problem: sentence } : { note: sentence };
  }
}
