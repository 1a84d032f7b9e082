import { createInflateRaw, createZstdDecompress } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { inflaterState, unpacksSample } from './inflater-state.ts';

afterEach(() => {
  delete process.env.PUBLIC_ZLIB;
});

/** What another version of Node.js might have below the stream. */
const inflaterWith = (changed: { _handle?: unknown; _writeState?: unknown }) => ({
  _handle: { writeSync: () => undefined },
  _writeState: new Uint32Array(2),
  close: () => undefined,
  ...changed,
});

describe('the way below the stream of an unpacker', () => {
  test('is found in this Node.js, for both kinds', () => {
    for (const inflater of [createInflateRaw(), createZstdDecompress()]) {
      expect(inflaterState(inflater)?.left).toHaveLength(2);
      inflater.close();
    }
  });

  test('is not taken where the environment says so', () => {
    const inflater = createInflateRaw();
    process.env.PUBLIC_ZLIB = 'on';
    expect(inflaterState(inflater)).toBeUndefined();
    process.env.PUBLIC_ZLIB = 'off';
    expect(inflaterState(inflater)).toBeDefined();
    inflater.close();
  });

  test.each([
    ['is missing', { _handle: undefined }],
    ['has other functions', { _handle: { write: () => undefined } }],
    ['reports otherwise', { _writeState: [0, 0] }],
    ['writes nothing', { _handle: { writeSync: () => undefined } }],
    [
      'throws',
      {
        _handle: {
          writeSync: () => {
            throw new Error('not so');
          },
        },
      },
    ],
  ])('is not sound where it %s', (_name, changed) => {
    expect(unpacksSample(createInflateRaw())).toBe(true);
    expect(unpacksSample(inflaterWith(changed))).toBe(false);
  });
});
