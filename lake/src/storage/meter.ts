import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { StoredObject } from './object-store.ts';

/** Passes content on unchanged; once all of it went through, `measured` returns its size and checksum. */
export function createMeter(): { readonly through: Transform; measured(): StoredObject } {
  const hash = createHash('sha256');
  let size = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  return { through, measured: () => ({ size, checksum: hash.digest('hex') }) };
}
