/** Values that the suites' setup provides to the tests, which read them with `inject('name')`. */
export interface Provided {
  /** Superuser's connection string for a temporary PostgreSQL (integration). */
  postgresAdminUrl: string;
  /** `host:port` of a temporary Temporal server, namespace `default` (integration). */
  temporalAddress: string;
  /** Path of the Temporal CLI, for tests that run their own server (integration). */
  temporalCli: string;
  /** Folder of the workflows as workers bundle them, for all workers of the tests (integration). */
  workflowBundles: string;
  /** URL of the running product, without a trailing slash (http, browser, alone). */
  productUrl: string;
  /** Home folder of that product (http, browser, alone). */
  productHome: string;
  /** Folder where that product stores its emails (http, browser, alone). */
  mailFolder: string;
  /** The identity provider that the product is configured with. A test starts it at that address (http, browser, alone). */
  oidcClient: { issuer: string; id: string; secret: string };
  /** Where the product refreshes currency rates from. A test that needs a service starts it there. */
  ratesUrl: string;
  /** Where the web process and then each worker process of the product serves /metrics, without a trailing slash (http, browser, alone). */
  metricsUrls: string[];
  /** Path of Chromium (browser, alone). */
  chromiumPath: string;
}

declare module 'vitest' {
  export interface ProvidedContext extends Provided {}
}
