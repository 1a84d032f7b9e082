/** Whether a process can take work now. */
export interface Readiness {
  /** What is missing for it; empty if it is ready. */
  readonly missing: readonly string[];
  /** What does not respond although the process serves most of its calls without it. */
  readonly degraded: readonly string[];
}

/** The answer of `/readyz`. */
export const readinessAnswer = ({ missing, degraded }: Readiness) => {
  const ready = missing.length === 0;
  return { status: ready ? 200 : 503, body: { ready, missing, degraded } };
};
