import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The version that the project is tested with. */
const PACKAGE = 'schemathesis==4.32.5';

const NO_PYTHON =
  'The conformance run needs Python 3.10 or later with the venv module, or uv, and access to the Python package index';

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function runOrThrow(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${NO_PYTHON}.\n${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/**
 * Installs Schemathesis into a virtual environment in the folder.
 * @returns the path of its command
 * @throws Error if there is no Python, or the installation fails
 */
export function installSchemathesis(folder: string): string {
  const environment = join(folder, 'python');
  const program = (name: string) => join(environment, 'bin', name);
  if (succeeds('uv', ['--version'])) {
    runOrThrow('uv', ['venv', '--quiet', environment]);
    runOrThrow('uv', ['pip', 'install', '--quiet', '--python', program('python'), PACKAGE]);
    return program('schemathesis');
  }
  const isRecent = 'import sys; sys.exit(sys.version_info < (3, 10))';
  const python = ['python3', 'python'].find((name) => succeeds(name, ['-c', isRecent]));
  if (!python) throw new Error(NO_PYTHON);
  runOrThrow(python, ['-m', 'venv', environment]);
  runOrThrow(program('python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE]);
  return program('schemathesis');
}
