/**
 * The part of every command that runs before anything is installed, on the Node version that is available (20 or
 * later). It has no dependencies. It installs the dependencies in the lockfile, builds the web app if its sources
 * changed, and then runs the TypeScript program on Node 24, which is installed as a dependency.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@10.34.8';
/** After this time, the process ID of a killed owner may have been reused by another process. */
const LONGEST_PREPARATION_MS = 30 * 60_000;
const root = fileURLToPath(new URL('../', import.meta.url)).replace(/[\\/]$/, '');
const installStamp = join(root, 'node_modules', '.tapeline-install');
const buildStamp = join(root, 'web', 'build', '.inputs');
const busyFolder = join(root, '.cache', 'preparing');

const say = (line) => process.stdout.write(`${line}\n`);

/**
 * Prepares what the command needs, runs `program` with the given arguments, and exits this process with its exit code.
 */
export async function launch(program, { words = process.argv.slice(2), web = true } = {}) {
  // With a restrictive umask, the user that PostgreSQL runs as could not read the files.
  process.umask(0o022);
  try {
    await prepare({ web });
    run(nodeForTypeScript(), join(root, program), words);
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

/** Installs the dependencies in the lockfile and, if `web` is set, builds the web app if its sources changed. */
export const prepare = ({ web }) =>
  alone(() => {
    install();
    if (web) buildWeb();
  });

function install() {
  const wanted = hashFiles([
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...readdirSync(root)
      .map((folder) => join(folder, 'package.json'))
      .filter((file) => existsSync(join(root, file))),
  ]);
  if (readText(installStamp) === wanted || hasInstalled(root)) return;
  say('installing dependencies (once, and when they change)');
  // Build tools are needed in production too. CI=true stops pnpm from prompting.
  const variables = { ...process.env, CI: 'true' };
  step(['install', '--frozen-lockfile', '--prod=false'], variables, 'The dependencies could not be installed');
  writeFileSync(installStamp, wanted);
}

/**
 * Whether pnpm has installed what the lockfile says, as the production guide has it called: at its end, it keeps a copy of
 * what it installed, which lacks what was left out. Then no command installs again, which would need the network and the
 * right to write there.
 * @param folder of the checkout
 */
export function hasInstalled(folder) {
  const wanted = readText(join(folder, 'pnpm-lock.yaml'));
  return wanted !== null && readText(join(folder, 'node_modules', '.pnpm', 'lock.yaml')) === wanted;
}

function buildWeb() {
  const folders = ['web', 'domain', 'db', 'workflows'];
  const inputs = hashFiles(['pnpm-lock.yaml', ...folders.flatMap((folder) => sourcesIn(folder))]);
  if (readText(buildStamp) === inputs) return;
  say('building the web app (only when its sources change)');
  // Removing the stamp first ensures that an interrupted build is never treated as complete.
  rmSync(buildStamp, { force: true });
  step(
    ['--filter', '@tapeline/web', 'build'],
    { ...process.env, NODE_ENV: 'production' },
    'The web app could not be built',
  );
  mkdirSync(join(root, 'web', 'build'), { recursive: true });
  writeFileSync(buildStamp, inputs);
}

/**
 * The Node binary that can run TypeScript directly: the installed one on Linux, otherwise the local one if it is recent
 * enough.
 */
function nodeForTypeScript() {
  const brought = join(root, 'node_modules', '.bin', 'node');
  if (process.platform === 'linux' && existsSync(brought)) return brought;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 17)) return process.execPath;
  throw new Error(
    `Tapeline runs on Node 22.17 or later, and this is ${process.versions.node}. On Linux (x64, arm64) the right one is ` +
      'installed automatically. On this system, install Node 24 from https://nodejs.org and try again.',
  );
}

/** Runs the program in our terminal and forwards signals. The IPC channel tells it when this process is killed. */
function run(node, program, words) {
  const flags = ['--disable-warning=ExperimentalWarning'];
  if (node === process.execPath && process.versions.node.startsWith('22.')) flags.push('--experimental-strip-types');
  const child = spawn(node, [...flags, program, ...words], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Each program starts in half the time when Node finds its modules compiled.
    env: { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...process.env },
  });
  // Ctrl-C reaches the child directly because both are in the terminal's process group. Other signals are sent only to
  // us.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  whenStarterEnds(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

/**
 * npm starts a shell that starts us. When npm is told to stop, it signals only that shell, which exits without
 * notifying us. When npm is killed, it notifies no process. In both cases the product must stop. If we were not started
 * through npm, there is nothing to watch.
 */
function whenStarterEnds(then) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const watch = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(watch);
    then();
  }, 300);
  watch.unref();
}

/** The parent's process ID, or null if the system has no /proc file for it. */
function parentOf(pid) {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}

function step(words, env, failure) {
  const args = ['-y', PNPM, ...words];
  const { status, error } = spawnSync('npx', args, {
    cwd: root,
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${failure} (${error?.message ?? `exit code ${status}`}): npx ${args.join(' ')}`);
}

/** Serializes preparation when two copies start from one checkout at the same time. */
async function alone(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const mine = join(busyFolder, String(process.pid));
  for (let told = false; ; await new Promise((resolve) => setTimeout(resolve, 300))) {
    try {
      mkdirSync(busyFolder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned()) rmSync(busyFolder, { recursive: true, force: true });
      else if (!told) say('waiting for another process that is installing or building this checkout');
      told = true;
    }
  }
  try {
    writeFileSync(mine, '');
    work();
  } finally {
    rmSync(busyFolder, { recursive: true, force: true });
  }
}

/** The owner writes its process ID into the folder. It gets a few seconds to do so. */
function isAbandoned() {
  const owner = existsSync(busyFolder) ? readdirSync(busyFolder)[0] : undefined;
  const ageMs = Date.now() - (statSync(busyFolder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (owner === undefined || ageMs > LONGEST_PREPARATION_MS) return ageMs > 5000;
  try {
    process.kill(Number(owner), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function sourcesIn(folder) {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'build' || entry.name === 'tests') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...sourcesIn(path));
    else if (!/\.test\.tsx?$/.test(entry.name)) found.push(path);
  }
  return found.sort();
}

function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative('.', file)}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
