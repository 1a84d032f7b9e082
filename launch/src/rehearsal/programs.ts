import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findDebianProgram, NGINX } from '../finding/debian-programs.ts';
import { cacheFolder, findOnPath } from '../finding/first-found.ts';
import { installPythonPackages } from '../finding/python-packages.ts';
import type { Variables } from '../processes/variables.ts';
import { findGateway } from '../storage/s3-gateway.ts';
import { findTemporalCli } from '../temporal/find-cli.ts';

/** The programs of the servers, and those that the guide's commands need. */
export interface ServerPrograms {
  /** An S3 gateway to a folder. */
  versitygw: string;
  nginx: string;
  temporal: string;
  /** Has `aws`, `moto_server` and `python`. */
  python: string;
}

const PYTHON_PACKAGES = ['awscli==1.46.3', 'aiosmtpd==1.4.6', 'moto[iam]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];

/** Finds each program, or installs it into the user's cache folder. */
export async function findPrograms(environment: Variables, say: (line: string) => void): Promise<ServerPrograms> {
  const missing = ['git', 'openssl', 'psql', 'bash'].filter((name) => findOnPath([name], environment.PATH) === null);
  if (missing.length > 0) throw new Error(`a rehearsal needs ${missing.join(', ')}. Install them and try again`);
  const cache = cacheFolder(environment);
  mkdirSync(cache, { recursive: true });
  return {
    temporal: await findTemporalCli(environment, say),
    versitygw: await findGateway(environment, say),
    nginx: await findDebianProgram(NGINX, environment, say),
    python: installPython(join(cache, 'rehearsal-python-1'), say),
  };
}

function installPython(place: string, say: (line: string) => void): string {
  const programs = join(place, 'python/bin');
  if (existsSync(join(place, 'complete'))) return programs;
  say('installing the AWS command line and the mail server (once)');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  installPythonPackages(place, PYTHON_PACKAGES, 'A rehearsal');
  // A virtual environment cannot be moved, so this marks that it is complete.
  cpSync(join(place, 'python/pyvenv.cfg'), join(place, 'complete'));
  return programs;
}
