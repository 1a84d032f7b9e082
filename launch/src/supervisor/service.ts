import type { SystemAccount } from '../postgres/system-account.ts';

/** One program to run: what, with which words. */
export interface Command {
  executable: string;
  args: readonly string[];
  /** All its variables; absent: those of this process. */
  environment?: NodeJS.ProcessEnv;
  folder?: string;
  /** Runs as this user instead of the current one; null or absent: the current one. */
  account?: SystemAccount | null;
  /** A program of our own: it ends by itself when its supervisor vanishes. */
  followsSupervisor?: boolean;
}

/** A child that is kept running until the whole is stopped. */
export interface Service {
  /** Also the name of its pid file and its log. */
  name: string;
  command: Command;
  /** Asked again and again until true; must not throw. */
  isReady: (run: { startedAt: number }) => Promise<boolean>;
  readyTimeoutMs: number;
  stopSignal: NodeJS.Signals;
  /** The last resort when the stop signal did not end it within the time. */
  killSignal: NodeJS.Signals;
  stopTimeoutMs: number;
}
