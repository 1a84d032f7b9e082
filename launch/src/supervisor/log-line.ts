/**
 * pino's number for the warning level. Lines at or above it are shown in the terminal. Others go only to the log file.
 */
const WARNING = 40;

/**
 * The part of a child's log line to show in the terminal, or null for routine lines. Our own programs write JSON lines
 * (pino), as does Temporal (with `level` as a word). PostgreSQL writes plain text that starts with the level.
 */
export function lineForTerminal(line: string): string | null {
  const entry = readEntry(line);
  if (entry === null) return plainLine(line);
  if (isRoutine(entry)) return null;
  const severe =
    typeof entry.level === 'number' ? entry.level >= WARNING : /^(error|fatal|panic)$/i.test(String(entry.level));
  if (!severe) return null;
  const problem = entry.err ?? entry.error;
  const reason = typeof problem === 'object' && problem !== null ? (problem as { message?: unknown }).message : problem;
  return [entry.msg, reason].filter((part) => typeof part === 'string' && part !== '').join(': ') || line;
}

/**
 * Lines with a severe level that are still routine: responses to requests (the caller has already been told, and our
 * own /readyz calls fail until the product is ready), and Temporal's message that a worker polls for only one kind of
 * task, which is how our workers are configured.
 */
function isRoutine(entry: Record<string, unknown>): boolean {
  return ('status' in entry && 'path' in entry) || / registered, not polling for /.test(String(entry.msg));
}

function plainLine(line: string): string | null {
  // PostgreSQL logs this for each connection attempt before it is ready, including our own readiness checks.
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
