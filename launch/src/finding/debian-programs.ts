import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Variables } from '../processes/variables.ts';
import { cacheFolder, findOnPath, firstFound, runToEnd, type Way } from './first-found.ts';

const DOWNLOADED_WITHIN_MS = 120_000;

export interface DebianProgram {
  readonly name: string;
  readonly packageName: string;
  /** Where the package has it. */
  readonly path: string;
  readonly versionFlag: string;
}

export const NGINX: DebianProgram = { name: 'nginx', packageName: 'nginx', path: 'usr/sbin/nginx', versionFlag: '-v' };
export const PROMTOOL: DebianProgram = {
  name: 'promtool',
  packageName: 'prometheus',
  path: 'usr/bin/promtool',
  versionFlag: '--version',
};

export const PROMETHEUS: DebianProgram = { ...PROMTOOL, name: 'prometheus', path: 'usr/bin/prometheus' };

/**
 * Lets `make` fill a temporary folder, and moves it into place only when it is complete.
 * @param make returns why it could not, or null
 * @returns why it could not be made; null if it is in place
 */
export async function once(place: string, make: (folder: string) => Promise<string | null> | string | null) {
  if (existsSync(place)) return null;
  mkdirSync(dirname(place), { recursive: true });
  const folder = mkdtempSync(`${place}-`);
  try {
    const problem = await make(folder);
    if (problem === null) renameSync(folder, place);
    return problem;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ways that download nothing: the program on PATH, and one that was unpacked before. */
const waysAtHand = ({ name, packageName, path }: DebianProgram, environment: Variables): Way[] => [
  {
    name: `"${name}" on PATH`,
    find: async () => {
      const found = findOnPath([name], `${environment.PATH}:/usr/sbin`);
      return found === null ? { missing: 'not found' } : { path: found };
    },
  },
  {
    name: "Debian's package, unpacked before",
    find: async () => {
      const found = join(cacheFolder(environment), packageName, path);
      return existsSync(found) ? { path: found } : { missing: 'not found' };
    },
  },
];

/** The path of the program, if it is there without a download. Null otherwise. */
export async function debianProgramAtHand(program: DebianProgram, environment: Variables): Promise<string | null> {
  for (const way of waysAtHand(program, environment)) {
    const outcome = await way.find();
    if ('path' in outcome) return outcome.path;
  }
  return null;
}

/**
 * Finds the program, or unpacks its Debian package into the user's cache folder, without installing it.
 * @throws Error with every way that was tried
 */
export function findDebianProgram(
  program: DebianProgram,
  environment: Variables,
  say: (line: string) => void,
): Promise<string> {
  const { name, packageName, path, versionFlag } = program;
  const place = join(cacheFolder(environment), packageName);
  return firstFound(name, [
    ...waysAtHand(program, environment),
    {
      name: "unpacking Debian's package",
      find: async () => {
        say(`downloading ${name} (once)`);
        const problem = await once(place, async (folder) => {
          // Without an account for downloads, apt writes as the current user.
          const script = `apt-get -o APT::Sandbox::User= download ${packageName} && dpkg-deb --extract ${packageName}_*.deb . && rm ${packageName}_*.deb`;
          const run = await runToEnd('bash', ['-ec', script], { timeoutMs: DOWNLOADED_WITHIN_MS, environment, folder });
          if (!run.ok) return run.lastLine;
          const works = await runToEnd(join(folder, path), [versionFlag], { timeoutMs: 10_000 });
          return works.ok ? null : works.lastLine;
        });
        return problem === null ? { path: join(place, path) } : { missing: problem };
      },
    },
  ]);
}
