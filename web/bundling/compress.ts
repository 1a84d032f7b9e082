import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSED = /\.(js|css|svg)$/;
/** Smaller files gain nothing. */
const MIN_BYTES = 512;

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.byteLength < MIN_BYTES || existsSync(`${path}.br`)) return;
  const sized = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength } };
  await writeFile(`${path}.br`, await toBrotli(bytes, sized));
  await writeFile(`${path}.gz`, await toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

/**
 * Compresses each file for browsers once, as far as it goes: a server that compresses for each request has no time for
 * that. Beside `x.js` stand `x.js.br` and `x.js.gz`. The manifest of the routes is written while the server is built, so
 * this is done at the end of both builds.
 */
export function compressBuild(): Plugin {
  return {
    name: 'tapeline:compress-build',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const folder = join(dir, '..', 'client', 'assets');
        if (!existsSync(folder)) return;
        const names = await readdir(folder);
        await Promise.all(names.filter((name) => COMPRESSED.test(name)).map((name) => compress(join(folder, name))));
      },
    },
  };
}
