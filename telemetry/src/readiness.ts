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
