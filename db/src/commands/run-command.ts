import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { checkDatabase } from '../check-database.ts';
import type { Need } from '../check-settings.ts';
import { type Environment, ownEnvironment } from '../environment.ts';
import { isConnectionError } from '../service-problems.ts';

export interface Command {
  /** The services without which it does not work in production. */
  readonly needs: readonly Need[];
  /** Whether it works on the tables of this version. It may then fail because they are missing. */
  readonly usesTables: boolean;
  /** What is wrong with other services that it uses. */
  examine?(environment: Environment): Promise<readonly string[]>;
  run(environment: Environment): Promise<void>;
}

/** Whether an error came from a service or the system, and not from a check of our own, whose message is enough. */
function isFromService(error: unknown): boolean {
  if (!(error instanceof Error) || isRefusal(error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return !String(code).startsWith('ERR_PARSE_ARGS');
  return error.constructor !== Error || isConnectionError(error);
}

/** What is wrong with a file or folder and how to correct it, in one sentence; null for other errors. */
function fileProblem(error: unknown): string | null {
  const { code, path } = error as NodeJS.ErrnoException;
  if (!path) return null;
  if (code === 'EACCES' || code === 'EPERM') {
    return `Permission denied: ${path}. Give it to the user who runs this command (chown), or choose another folder.`;
  }
  if (code === 'ENOSPC') return `No space left for ${path}. Free some, or choose another folder.`;
  return code === 'EROFS' ? `${path} is on a read-only disk. Choose another folder.` : null;
}

/** One sentence for each problem of the services that a command uses; none if they are well. */
async function problemsOf({ usesTables, examine }: Command, environment: Environment): Promise<string[]> {
  const [database, others] = await Promise.all([
    checkDatabase(environment, { tables: usesTables }),
    examine?.(environment) ?? [],
  ]);
  return [...database.problems, ...others];
}

/** Runs a command. If it fails, the process ends with what is wrong and how to correct it, without a stack trace. */
export async function runCommand(command: Command): Promise<void> {
  const environment = ownEnvironment(command.needs);
  try {
    await command.run(environment);
  } catch (error) {
    const problems = isFromService(error) ? await problemsOf(command, environment).catch(() => []) : [];
    const message = fileProblem(error) ?? (error instanceof Error ? error.message : String(error));
    process.stderr.write(`${problems.length > 0 ? problems.join('\n') : message}\n`);
    process.exit(1);
  }
}
