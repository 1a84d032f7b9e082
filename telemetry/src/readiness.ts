/** Whether a process can take work now. */
export interface Readiness {
  /** What is missing for it; empty if it is ready. */
  readonly missing: readonly string[];
  /** What does not respond although the process serves most of its calls without it. */
  readonly degraded: readonly string[];
}

/**
 * The answer of `/readyz`: ready if everything responds. With `?accept=degraded`, a process is ready that can do without
 * what does not respond.
 * @param query of the request
 */
export const readinessAnswer = ({ missing, degraded }: Readiness, query: URLSearchParams) => {
  const acceptsDegraded = query.get('accept') === 'degraded';
  const lacking = acceptsDegraded ? missing : [...missing, ...degraded];
  const ready = lacking.length === 0;
  return { status: ready ? 200 : 503, body: { ready, missing: lacking, degraded } };
};

/** The answer of `/healthz`. Outages of services do not count: a restart does not end them. */
export const livenessAnswer = (isAlive: boolean) =>
  isAlive
    ? { status: 200, text: 'ok\n' }
    : { status: 503, text: 'This process gets no database connection. Restart it.\n' };
