import type { SystemAccount } from '../postgres/system-account.ts';

/** A program to run, with its arguments. */
export interface Command {
  executable: string;
  args: readonly string[];
  /** The complete environment. If absent, the environment of this process is used. */
  environment?: NodeJS.ProcessEnv;
  folder?: string;
  /** The user to run as. If null or absent, the current user. */
  account?: SystemAccount | null;
  /** Set for our own programs, which exit by themselves when their supervisor disappears. */
  followsSupervisor?: boolean;
}

/** A child process that is kept running until the supervisor stops. */
export interface Service {
  /** Also the name of its pid file and its log. */
  name: string;
  command: Command;
  /** Polled until it returns true. Must not throw. */
  isReady: (run: { startedAt: number }) => Promise<boolean>;
  readyTimeoutMs: number;
  stopSignal: NodeJS.Signals;
  /** Sent if the stop signal did not end the process within the timeout. */
  killSignal: NodeJS.Signals;
  stopTimeoutMs: number;
}
