import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/**
 * Installs packages from the Python package index into a virtual environment in the folder.
 * @param purpose for the error: 'The conformance run'
 * @returns the folder of their programs
 * @throws Error if there is no Python, or the installation fails
 */
export function installPythonPackages(folder: string, packages: readonly string[], purpose: string): string {
  const need = `${purpose} needs Python 3.10 or later with the venv module, or uv, and access to the Python package index`;
  const runOrThrow = (command: string, args: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${need}.\n${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  };
  const environment = join(folder, 'python');
  const programs = join(environment, 'bin');
  const itsPython = join(programs, 'python');
  if (succeeds('uv', ['--version'])) {
    runOrThrow('uv', ['venv', '--quiet', environment]);
    runOrThrow('uv', ['pip', 'install', '--quiet', '--python', itsPython, ...packages]);
    return programs;
  }
  const isRecent = 'import sys; sys.exit(sys.version_info < (3, 10))';
  const python = ['python3', 'python'].find((name) => succeeds(name, ['-c', isRecent]));
  if (!python) throw new Error(need);
  runOrThrow(python, ['-m', 'venv', environment]);
  runOrThrow(itsPython, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  return programs;
}
