import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { expect, test } from 'vitest';
import { type FormReader, readFormBody } from './form-body.server.ts';

const MAX_TEXT_BYTES = 10_000;

async function formOf(parts: readonly (readonly [name: string, value: string | Blob])[]): Promise<Request> {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'a.csv');
  }
  // Sent as bytes, because undici's own form stream fails if it is abandoned half-way.
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return new Request('http://product.test/', { method: 'POST', headers, body: await encoded.bytes() });
}

async function read(sent: Request | Promise<Request>, file?: FormReader['file']): Promise<string[] | string> {
  const fields: string[] = [];
  try {
    await readFormBody(
      await sent,
      { field: (name, value) => void fields.push(`${name}=${value}`), ...(file ? { file } : {}) },
      MAX_TEXT_BYTES,
    );
    return fields;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.message;
  }
}

test('fields come in the order sent, of either kind of form', async () => {
  expect(
    await read(
      formOf([
        ['csrf', 'a'],
        ['b', 'é&='],
        ['b', 'c'],
      ]),
    ),
  ).toEqual(['csrf=a', 'b=é&=', 'b=c']);
  const body = new URLSearchParams([
    ['csrf', 'a'],
    ['b', 'é&='],
    ['b', 'c + d'],
  ]);
  expect(await read(new Request('http://product.test/', { method: 'POST', body }))).toEqual([
    'csrf=a',
    'b=é&=',
    'b=c + d',
  ]);
});

test('a form is read once every file is, however long the first takes', async () => {
  const done: number[] = [];
  const sizes = [500_000, 10];
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isRead = false;
  const form = formOf(sizes.map((size) => ['files', new Blob(['x'.repeat(size)])] as const));
  const reading = read(form, async ({ data }) => {
    let size = 0;
    for await (const chunk of data) size += chunk.length;
    if (size > 10) {
      held.resolve();
      await released.promise;
    }
    done.push(size);
  }).then(() => {
    isRead = true;
  });
  await held.promise;
  expect([isRead, done.includes(500_000)]).toEqual([false, false]);
  released.resolve();
  await reading;
  expect(done.sort((a, b) => b - a)).toEqual(sizes);
});

test('what a reader of files throws ends the form, and is not taken for a broken one', async () => {
  const reading = readFormBody(
    await formOf([
      ['files', new Blob(['x'.repeat(300_000)])],
      ['more', 'x'],
    ]),
    {
      field: () => undefined,
      file: async () => {
        throw new Error('the disk is full');
      },
    },
    MAX_TEXT_BYTES,
  );
  await expect(reading).rejects.toThrow('the disk is full');
});

test('a reader that gives up in the middle of a file ends the form with its own error, however late that is', async () => {
  const gone = Promise.withResolvers<void>();
  const form = { field: () => undefined };
  const sent = () => formOf([['files', new Blob(['x'.repeat(300_000)])]]);
  const late = async ({ data }: { data: AsyncIterable<Uint8Array> }) => {
    for await (const _ of data) break;
    setImmediate(gone.resolve);
    await gone.promise;
    throw new Error('the disk is full');
  };
  await expect(readFormBody(await sent(), { ...form, file: late }, MAX_TEXT_BYTES)).rejects.toThrow('the disk is full');
  const silent: FormReader['file'] = async ({ data }) => {
    for await (const _ of data) break;
  };
  await expect(readFormBody(await sent(), { ...form, file: silent }, MAX_TEXT_BYTES)).rejects.toThrow(
    'left a file unread',
  );
});

test('the fields of a form are bounded together', async () => {
  const half = 'x'.repeat(MAX_TEXT_BYTES / 2);
  expect(
    await read(
      formOf([
        ['a', half],
        ['b', half],
      ]),
    ),
  ).toHaveLength(2);
  expect(
    await read(
      formOf([
        ['a', half],
        ['b', half],
        ['c', 'x'],
      ]),
    ),
  ).toMatch('too large');
  expect(await read(formOf([['a', 'x'.repeat(MAX_TEXT_BYTES + 1)]]))).toMatch('too large');
  expect(await read(formOf([['x'.repeat(501), 'a']]))).toMatch('too long');
});

test('51 files are one too many', async () => {
  const files = (count: number) => formOf(Array.from({ length: count }, () => ['files', new Blob(['x'])] as const));
  const take: FormReader['file'] = async ({ data }) => {
    for await (const _ of data);
  };
  expect(await read(files(50), take)).toEqual([]);
  expect(await read(files(51), take)).toMatch('at most 50 files');
});
