import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compressBuild } from './compress.ts';

let folder: string;

/** Runs what the plugin does at the end of a build into `client` or `server`. */
async function endBuild(of: 'client' | 'server'): Promise<void> {
  const { writeBundle } = compressBuild() as Plugin & { writeBundle: { handler: (output: object) => Promise<void> } };
  await writeBundle.handler({ dir: join(folder, of) });
}
const assets = (): Promise<string[]> => readdir(join(folder, 'client', 'assets'));
const write = (name: string, text: string): Promise<void> => writeFile(join(folder, 'client', 'assets', name), text);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compressed-'));
  await mkdir(join(folder, 'client', 'assets'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the files of a build', () => {
  it('are stored compressed in both ways beside what they hold', async () => {
    const text = 'export const value = 1;\n'.repeat(100);
    await write('page.js', text);
    await endBuild('client');
    expect((await assets()).sort()).toEqual(['page.js', 'page.js.br', 'page.js.gz']);
    const read = (name: string) => readFile(join(folder, 'client', 'assets', name));
    expect(brotliDecompressSync(await read('page.js.br')).toString()).toBe(text);
    expect(gunzipSync(await read('page.js.gz')).toString()).toBe(text);
  });
  it('are compressed from 512 bytes on, and only those of text', async () => {
    await write('small.js', 'x'.repeat(511));
    await write('large.css', 'x'.repeat(512));
    await write('font.woff2', 'x'.repeat(4000));
    await endBuild('client');
    expect((await assets()).sort()).toEqual(['font.woff2', 'large.css', 'large.css.br', 'large.css.gz', 'small.js']);
  });
  it('are compressed as well if the build of the server writes them, and not twice', async () => {
    await write('manifest.js', 'x'.repeat(600));
    await endBuild('server');
    await write('manifest.js.br', 'as it was');
    await endBuild('server');
    expect(await readFile(join(folder, 'client', 'assets', 'manifest.js.br'), 'utf8')).toBe('as it was');
  });
});
