import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsOf } from './fuzz/mutate.ts';
import { temporaryPath } from './testing/temporary-path.ts';
import { openZip, unpackWhole } from './zip-archive.ts';
import { ZipWriter, zipStream } from './zip-writer.ts';

type Parts = readonly { readonly name: string; readonly pieces: readonly Uint8Array[]; readonly level: number }[];

const parts: fc.Arbitrary<Parts> = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-zä€]{1,12}\.xml$/),
    pieces: fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 4 }),
    level: fc.constantFrom(0, 1, 6),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
);

const streamed = async (made: Parts): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipStream(made.map(({ name, pieces }) => ({ name, content: pieces })))) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const filed = async (made: Parts, path: string): Promise<void> => {
  const writer = await ZipWriter.create(path);
  for (const { name, pieces, level } of made) await writer.add(name, pieces, level);
  await writer.finish();
};

const contents = (made: Parts) => made.map(({ name, pieces }) => [name, Buffer.concat(pieces).toString('hex')]);
const read = (bytes: Buffer) => partsOf(bytes).map(({ name, content }) => [name, content.toString('hex')]);

describe('an archive', () => {
  test('holds what was written, as a stream and as a file', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (made) => {
        expect(read(await streamed(made))).toEqual(contents(made));
        const path = temporaryPath('.zip');
        await filed(made, path);
        expect(read(await readFile(path))).toEqual(contents(made));
      }),
      { numRuns: 50 },
    );
  });

  test('of a file is opened and checked by the reader of workbooks', async () => {
    const path = temporaryPath('.zip');
    const text = 'x'.repeat(200_000);
    await filed([{ name: 'xl/a.xml', pieces: [Buffer.from(text)], level: 6 }], path);
    const zip = await openZip(path);
    const entry = zip.entries.get('xl/a.xml');
    expect((await unpackWhole(zip, entry!, 1_000_000)).toString()).toBe(text);
    await zip.file.close();
  });

  test('has the same bytes whenever it is written', async () => {
    const made: Parts = [{ name: 'a.xml', pieces: [Buffer.from('one'), Buffer.from('two')], level: 1 }];
    expect(await streamed(made)).toEqual(await streamed(made));
  });

  test('whose content fails fails as well, and leaves no packer behind', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one');
      throw new Error('the query was cancelled');
    }
    const take = async () => {
      for await (const _ of zipStream([{ name: 'a.xml', content: failing() }])) {
        // Each piece is taken.
      }
    };
    await expect(take()).rejects.toThrow('the query was cancelled');
    const writer = await ZipWriter.create(temporaryPath('.zip'));
    await expect(writer.add('a.xml', failing())).rejects.toThrow('the query was cancelled');
    await writer.finish();
  });
});
