import type { Service } from '../supervisor/service.ts';
import { temporalAnswers } from './health.ts';

export const NAMESPACE = 'default';

/** A Temporal dev server on the loopback address; without a file it forgets everything when it ends. */
export interface DevServer {
  cli: string;
  port: number;
  /** Port of its browser UI; null runs it without one. */
  uiPort: number | null;
  /** Its SQLite file. */
  file: string | null;
}

/** The dev server as a service for the supervisor. */
export function temporalService(server: DevServer): Service {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(server.port)];
  args.push(...(server.uiPort === null ? ['--headless'] : ['--ui-port', String(server.uiPort)]));
  if (server.file !== null) args.push('--db-filename', server.file);
  args.push('--log-format', 'json', '--log-level', 'error');
  return {
    name: 'temporal',
    // The CLI reads a config file of the user's, which may name other addresses.
    command: { executable: server.cli, args: [...args, '--disable-config-file', '--disable-config-env'] },
    isReady: () => temporalAnswers(`127.0.0.1:${server.port}`, NAMESPACE),
    readyTimeoutMs: 90_000,
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    // It drains for long with a UI open; its SQLite file (write-ahead log) stays whole when it is ended sooner.
    stopTimeoutMs: 3000,
  };
}
