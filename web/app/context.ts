import type { Services } from '../server/services.ts';

/** What Express hands to every loader and action besides the request: the services, and this call's own facts. */
export interface RequestContext extends Services {
  /** 32 hex digits; in the answer's `X-Trace-Id`, in error bodies and in each line of the log. */
  readonly traceId: string;
  /** Allows the page's own scripts to run under the content security policy. */
  readonly nonce: string;
  /** The caller's network address, as the proxy tells it. */
  readonly clientAddress: string;
  /** Whether the caller came by https, so that cookies are marked Secure. */
  readonly isSecure: boolean;
  /** Addresses of all screens that exist. */
  readonly screenPaths: readonly string[];
  /** Waits until the client has taken what was written; false when it has gone. */
  readyToSend(): Promise<boolean>;
  /** Adds a Set-Cookie header to the answer, whatever the answer is. */
  setCookie(cookie: string): void;
}

declare module '@remix-run/node' {
  interface AppLoadContext extends RequestContext {}
  interface Future {
    v3_singleFetch: true;
  }
}
