/** pino's number for a warning; anything from here on is shown in the terminal, the rest stays in the log file. */
const WARNING = 40;

/**
 * What of a child's line is worth the reader's terminal: null for routine lines. Our own programs write JSON lines
 * (pino), Temporal too (`level` as a word), PostgreSQL plain text with the level in front.
 */
export function lineForTerminal(line: string): string | null {
  const entry = readEntry(line);
  if (entry === null) return plainLine(line);
  if (isRoutine(entry)) return null;
  const severe =
    typeof entry.level === 'number' ? entry.level >= WARNING : /^(error|fatal|panic)$/i.test(String(entry.level));
  if (!severe) return null;
  const fault = entry.err ?? entry.error;
  const reason = typeof fault === 'object' && fault !== null ? (fault as { message?: unknown }).message : fault;
  return [entry.msg, reason].filter((part) => typeof part === 'string' && part !== '').join(': ') || line;
}

/**
 * Severe by their level and yet no news: answers to requests (the caller has been told; before readiness our own /readyz
 * calls among them), and Temporal's remark that a worker serves only one kind of task, which is how ours are made.
 */
function isRoutine(entry: Record<string, unknown>): boolean {
  return ('status' in entry && 'path' in entry) || / registered, not polling for /.test(String(entry.msg));
}

function plainLine(line: string): string | null {
  // Said to whoever asks before PostgreSQL is ready, which we do ourselves.
  if (/the database system is (starting up|shutting down|not yet accepting)/.test(line)) return null;
  return /\b(FATAL|PANIC)\b/.test(line) ? line.replace(/^[\d\-: .]+UTC \[\d+\] /, '') : null;
}

function readEntry(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
