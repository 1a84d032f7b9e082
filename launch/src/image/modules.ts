import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** Megabytes (powers of ten) that the modules of the image may take. */
export const MAX_IMAGE_MB = 300;

/**
 * Packages that are installed because something could use them, and that no program of the image loads: types, the
 * compiler, a CSS compiler of the build, and Node, which the base image has.
 */
const UNUSED_PACKAGE = /^(typescript|@types\/.*|csstype|node-linux-.*|lightningcss(-.*)?|caniuse-lite\/data)$/;
/** Types, source maps, sources and texts. Temporal's bundler reads maps and sources of what it puts into a bundle. */
const UNUSED_FILE = /\.(d\.[cm]?ts|[cm]?ts|tsx|map|flow|md|markdown)$/;
const KEPT_FILES_OF = /^(@temporalio\/(workflow|common|proto)|nexus-rpc|long|ms)$/;
const TEMPORAL_NATIVE = '@temporalio/core-bridge';

const nativeOf = (arch: string): string => `${{ x64: 'x86_64', arm64: 'aarch64' }[arch] ?? arch}-unknown-linux-gnu`;

/**
 * @param name of the package
 * @param path of a file in it, with slashes
 * @returns whether a program of the image, which is Linux, may load it
 */
export function isNeeded(name: string, path: string, arch: string = process.arch): boolean {
  if (UNUSED_PACKAGE.test(name)) return false;
  if (name === TEMPORAL_NATIVE && /^(releases|sdk-core)\//.test(path)) {
    return path.startsWith(`releases/${nativeOf(arch)}/`);
  }
  return KEPT_FILES_OF.test(name) || !UNUSED_FILE.test(path);
}

/** A file in a folder of modules. `size` is what it takes on the disk. */
export interface ModuleFile {
  readonly path: string;
  readonly isNeeded: boolean;
  readonly size: number;
}

/** The files of a package itself, without packages inside it. */
export function* filesOf(name: string, folder: string): Generator<ModuleFile> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const inside = path.slice(folder.length + 1).replaceAll(sep, '/');
    const { size } = lstatSync(path);
    yield { path, isNeeded: isNeeded(name, inside), size };
  }
}

/** The packages below pnpm's folder of modules, each once. */
export function* installedPackages(modules: string): Generator<{ name: string; folder: string }> {
  const store = join(modules, '.pnpm');
  for (const installed of readdirSync(store)) {
    for (const { name, path, isLink } of packagesIn(join(store, installed, 'node_modules'))) {
      if (!isLink) yield { name, folder: path };
    }
  }
}

function* packagesIn(folder: string): Generator<{ name: string; path: string; isLink: boolean }> {
  for (const name of entriesOf(folder)) {
    if (name.startsWith('.')) continue;
    const names = name.startsWith('@') ? entriesOf(join(folder, name)).map((each) => `${name}/${each}`) : [name];
    for (const each of names) {
      const path = join(folder, each);
      yield { name: each, path, isLink: lstatSync(path).isSymbolicLink() };
    }
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The packages that the given ones need to run, as they are installed.
 * @param folders of packages of the workspace
 * @param dependenciesOf names of what a package needs to run
 */
export function neededPackages(
  folders: readonly string[],
  dependenciesOf: (folder: string) => readonly string[],
): Map<string, string> {
  const found = new Map<string, string>();
  const waiting = [...folders];
  const seen = new Set(waiting);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of dependenciesOf(folder)) {
      const real = findPackage(folder, name);
      if (real === null || seen.has(real)) continue;
      seen.add(real);
      waiting.push(real);
      if (real.includes(`${sep}node_modules${sep}`)) found.set(real, name);
    }
  }
  return found;
}

/** The folder of a package that another one would load, or null if it is not installed. */
function findPackage(from: string, name: string): string | null {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    try {
      return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : realpathSync(path);
    } catch {
      // It is installed further up, or not at all.
    }
  }
  return null;
}
