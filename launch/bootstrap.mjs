/**
 * The part of every command that runs on whatever Node is at hand (20 or later) before anything is installed: no
 * dependencies. Installs what the lockfile names, builds the web app when its sources changed, then hands over to the
 * TypeScript program on Node 24, which the install has brought.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@10.34.8';
/** After this long the number of a killed owner may have gone to another process. */
const LONGEST_PREPARATION_MS = 30 * 60_000;
const root = fileURLToPath(new URL('../', import.meta.url)).replace(/[\\/]$/, '');
const installStamp = join(root, 'node_modules', '.tapeline-install');
const buildStamp = join(root, 'web', 'build', '.inputs');
const busyFolder = join(root, '.cache', 'preparing');

const say = (line) => process.stdout.write(`${line}\n`);

/** Prepares what the command needs and runs `program` with the words given; ends this process with its exit code. */
export async function launch(program, { words = process.argv.slice(2), web = true } = {}) {
  // Files made under a tight mask could not be read by the user that PostgreSQL runs as.
  process.umask(0o022);
  try {
    await prepare({ web });
    run(nodeForTypeScript(), join(root, program), words);
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

/** Installs what the lockfile names and, where `web`, builds the web app if its sources changed since. */
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
  if (readText(installStamp) === wanted) return;
  say('installing dependencies (once, and again when they change)');
  // Tools for building are needed in production too; CI keeps pnpm from asking questions nobody would answer.
  const variables = { ...process.env, CI: 'true' };
  step(['install', '--frozen-lockfile', '--prod=false'], variables, 'The dependencies could not be installed');
  writeFileSync(installStamp, wanted);
}

function buildWeb() {
  const folders = ['web', 'domain', 'db', 'workflows'];
  const inputs = hashFiles(['pnpm-lock.yaml', ...folders.flatMap((folder) => sourcesIn(folder))]);
  if (readText(buildStamp) === inputs) return;
  say('building the web app (again only when its sources change)');
  // Without the stamp a build that is cut off is never taken for a whole one.
  rmSync(buildStamp, { force: true });
  step(
    ['--filter', '@tapeline/web', 'build'],
    { ...process.env, NODE_ENV: 'production' },
    'The web app could not be built',
  );
  mkdirSync(join(root, 'web', 'build'), { recursive: true });
  writeFileSync(buildStamp, inputs);
}

/** Node that runs TypeScript as it is: the one the registry brought on Linux, elsewhere the local one if it is able. */
function nodeForTypeScript() {
  const brought = join(root, 'node_modules', '.bin', 'node');
  if (process.platform === 'linux' && existsSync(brought)) return brought;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 17)) return process.execPath;
  throw new Error(
    `Tapeline runs on Node 22.17 or later, and this is ${process.versions.node}. On Linux (x64, arm64) the right one is ` +
      'installed by itself; here please install Node 24 from https://nodejs.org and try again.',
  );
}

/** Runs the program with our terminal, passing on signals; the channel tells it when this process is killed. */
function run(node, program, words) {
  const flags = ['--disable-warning=ExperimentalWarning'];
  if (node === process.execPath && process.versions.node.startsWith('22.')) flags.push('--experimental-strip-types');
  const child = spawn(node, [...flags, program, ...words], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches the child by itself, since both are in the terminal's group; the others are sent to us alone.
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
 * npm runs a shell that runs us. Told to end, npm passes the signal to that shell only, which ends without telling us, and
 * a killed npm tells nobody: either way somebody meant to stop the product. Started without npm, we are on our own.
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

/** Number of the process's parent; null where the system does not tell it in a file. */
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

/** Two copies started in the same moment from one checkout prepare one after the other. */
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
      else if (!told) say('waiting: another start of this checkout is installing or building');
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

/** The one who prepares has left its process number in the folder; a few seconds are granted to do so. */
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
