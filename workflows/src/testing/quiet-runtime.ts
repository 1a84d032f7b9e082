import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Keeps the start of workers that replay out of the logs. A process has one runtime, and test files share a process, so
 * only the first file installs it.
 */
export function quietRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'IllegalStateError')) throw error;
  }
}
