import type { Services } from '../../server/services.ts';
import type { RequestFacts } from '../../server/tracing.ts';

/**
 * What Express passes to every loader and action besides the request: the services, and values specific to this call.
 */
export interface RequestContext extends Services {
  /** 32 hex digits. Included in the answer's `X-Trace-Id`, in error bodies and in every log line. */
  readonly traceId: string;
  /** What the line of the access log and the metrics say about this request. */
  readonly facts: RequestFacts;
  /** Allows the page's own scripts to run under the content security policy. */
  readonly nonce: string;
  /** The caller's network address, as reported by the proxy. */
  readonly clientAddress: string;
  /** Whether the caller uses https, so that cookies are marked Secure. */
  readonly isSecure: boolean;
  /** Addresses of all screens that exist. */
  readonly screenPaths: readonly string[];
  /** Text bodies by their answers. An answer listed here is sent without going through a stream. */
  readonly texts: WeakMap<Response, string>;
  /** Waits until the client has taken what was written. Returns false if the client has disconnected. */
  readyToSend(): Promise<boolean>;
  /** Allows this request a larger body than usual. Called once the sender is known, before the body is read. */
  allowBody(bytes: number): void;
  /** Adds a Set-Cookie header to the answer, including error answers. */
  setCookie(cookie: string): void;
}

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
  interface Future {
    v3_singleFetch: true;
  }
}
