import { isRefusal } from '@tapeline/domain/errors/refusal.ts';

/** One dependency of a process. `ask` throws or hangs while the dependency is unavailable. */
export interface ReadinessCheck {
  readonly name: string;
  ask(): Promise<unknown>;
}

const ANSWER_WITHIN_MS = 3_000;

async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), timeoutMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the names of the missing dependencies, with the reason if someone can act on it. Empty if all are available.
 */
export async function findMissing(checks: readonly ReadinessCheck[], timeoutMs = ANSWER_WITHIN_MS): Promise<string[]> {
  const results = await Promise.allSettled(
    checks.map((check) =>
      within(
        Promise.resolve().then(() => check.ask()),
        timeoutMs,
      ),
    ),
  );
  return checks.flatMap(({ name }, index) => {
    const result = results[index];
    if (result?.status !== 'rejected') return [];
    return isRefusal(result.reason) ? `${name}: ${result.reason.message}` : name;
  });
}
