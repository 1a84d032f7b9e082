/** What the suites' set-up hands to the tests, read there with `inject('name')`. */
export interface Provided {
  /** Superuser's connection string of a throw-away PostgreSQL (integration). */
  postgresAdminUrl: string;
  /** `host:port` of a throw-away Temporal server, namespace `default` (integration). */
  temporalAddress: string;
  /** Path of the Temporal CLI, for tests that run a server of their own (integration). */
  temporalCli: string;
  /** Address of the running product, without a slash at the end (browser). */
  productUrl: string;
  /** Home folder of that product (browser). */
  productHome: string;
  /** Folder in which that product puts its mails (browser). */
  mailFolder: string;
  /** Path of Chromium (browser). */
  chromiumPath: string;
}

declare module 'vitest' {
  export interface ProvidedContext extends Provided {}
}
