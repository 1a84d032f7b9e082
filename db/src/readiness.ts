import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Readiness } from '@tapeline/telemetry/readiness.ts';

/** One dependency of a process. `ask` throws or hangs while the dependency is unavailable. */
export interface ReadinessCheck {
  readonly name: string;
  /** Whether the process serves most of its calls without it. It is then reported as degraded. */
  readonly isOptional?: boolean;
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

/** The names of the dependencies that are not available, with the reason if someone can act on it. */
export async function findReadiness(
  checks: readonly ReadinessCheck[],
  timeoutMs = ANSWER_WITHIN_MS,
): Promise<Readiness> {
  const results = await Promise.allSettled(
    checks.map((check) =>
      within(
        Promise.resolve().then(() => check.ask()),
        timeoutMs,
      ),
    ),
  );
  const unavailable = checks.flatMap(({ name, isOptional = false }, index) => {
    const result = results[index];
    if (result?.status !== 'rejected') return [];
    return { isOptional, text: isRefusal(result.reason) ? `${name}: ${result.reason.message}` : name };
  });
  const textsOf = (optional: boolean) =>
    unavailable.filter(({ isOptional }) => isOptional === optional).map(({ text }) => text);
  return { missing: textsOf(false), degraded: textsOf(true) };
}
