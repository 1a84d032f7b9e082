import type { Service } from '../supervisor/service.ts';
import { temporalAnswers } from './health.ts';

export const NAMESPACE = 'default';

/** A Temporal dev server on the loopback address. Without a file, it loses all data when it stops. */
export interface DevServer {
  cli: string;
  port: number;
  /** Port of its web UI, or null to run without one. */
  uiPort: number | null;
  file: string | null;
}

/**
 * Tasks go out by priority, fairly between tenants and in the order in which they came. Of several partitions of a queue,
 * each would be fair and in order for itself only. The doctor names these settings, and `launch/compose/temporal.yaml`
 * has the same.
 */
export const DYNAMIC_CONFIG: Readonly<Record<string, boolean | number>> = {
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

export function temporalService(server: DevServer): Service {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(server.port)];
  args.push(...(server.uiPort === null ? ['--headless'] : ['--ui-port', String(server.uiPort)]));
  if (server.file !== null) args.push('--db-filename', server.file);
  for (const [key, value] of Object.entries(DYNAMIC_CONFIG)) args.push('--dynamic-config-value', `${key}=${value}`);
  args.push('--log-format', 'json', '--log-level', 'error');
  return {
    name: 'temporal',
    // The user may have a config file for the CLI with other addresses.
    command: { executable: server.cli, args: [...args, '--disable-config-file', '--disable-config-env'] },
    isReady: () => temporalAnswers(`127.0.0.1:${server.port}`, NAMESPACE),
    readyTimeoutMs: 90_000,
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    // Draining takes long while a UI is open. The SQLite file (write-ahead log) stays intact if the server is killed
    // earlier.
    stopTimeoutMs: 3000,
  };
}
