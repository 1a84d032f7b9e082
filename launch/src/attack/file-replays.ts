import type { Caller } from '../client/caller.ts';
import { check, othersAreServed, publishedTape, type Replay, standing, type Tape } from './stage.ts';

interface Mapping {
  readonly id: string;
  readonly rules: readonly { readonly originCol: string }[];
  readonly loanTapeSheetName: string;
}

/** A preview request for the newest tape with its mapping, plus extra rules that run the steps. */
async function previewBody(caller: Caller, steps: readonly object[]): Promise<object> {
  const tape = await publishedTape(caller);
  const mapping = (await caller.list<Mapping>('/crud/assetsETLs')).find(({ id }) => id === tape.assetsETL);
  check(mapping !== undefined, "the tape's mapping is not listed");
  const more = mapping.rules.slice(0, 20).map(({ originCol }, index) => ({
    originCol,
    targetCol: `attacked ${index}`,
    serializations: steps,
  }));
  return {
    rules: [...mapping.rules, ...more],
    currency: 'USD',
    fileUrl: tape.metadata.attachment.key,
    sheetName: mapping.loanTapeSheetName,
    cutOffDate: tape.cutOffDate,
  };
}

interface SignedFile {
  readonly key: string;
  readonly signedUrl: string;
}

const csvNamed = (name: string, text: string) => ({ name: `${name}.csv`, size: text.length, type: 'text/csv' });

/** A signed address for a file of a tape, with the file's key. */
async function signedAddress(caller: Caller, operation: 'upload' | 'download', file: object): Promise<SignedFile> {
  const path = `/files/signedUrls/loanTapes?operation=${operation}`;
  const { text } = await caller.json('POST', path, { filesInfo: [file] });
  const [answer] = JSON.parse(text) as { fileMetadata?: SignedFile }[];
  check(answer?.fileMetadata?.signedUrl !== undefined, `no address was given: ${text.slice(0, 200)}`);
  return answer.fileMetadata;
}

/** A request to the object storage, which gets nothing but the address. */
const storage = (method: string, address: string, body?: string): Promise<Response> =>
  fetch(address, {
    method,
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'text/csv' } }),
  });

/** Whether an address is of the product's own storage, which is a folder, and not of an S3 service. */
const isOfFolder = (signedUrl: string): boolean => new URL(signedUrl).search === '';

/** The text with another character in its middle: the last one of an encoded text may not count. */
const otherCharacter = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === '0' ? '1' : '0') + text.slice(middle + 1);
};

/** Every part of a signed address counts: none can be changed, taken away, or moved to another file. */
async function changedAddressesAreRefused(signed: string, ofAnother: string, method: string, body?: string) {
  const [url, other] = [new URL(signed), new URL(ofAnother)];
  const changed = new Map<string, URL>();
  const add = (what: string, change: (copy: URL) => void): void => {
    const copy = new URL(url);
    change(copy);
    changed.set(what, copy);
  };
  add('of a file beside it', (copy) => {
    copy.pathname = `${copy.pathname}0`;
  });
  if (isOfFolder(signed)) {
    // The address ends with what it allows and its signature.
    const [, otherSignature = ''] = other.pathname.split('.').slice(-2);
    const [allowed = '', signature = ''] = url.pathname.split('.').slice(-2);
    const withParts = (first: string, second: string) => (copy: URL) => {
      copy.pathname = `${first}.${second}`;
    };
    add('with the signature of another file', withParts(allowed, otherSignature));
    add('with another signature', withParts(allowed, otherCharacter(signature)));
    add('that allows something else', withParts(otherCharacter(allowed), signature));
  } else {
    add('of another file', (copy) => {
      copy.pathname = other.pathname;
    });
    add('of a folder above it', (copy) => {
      copy.pathname = copy.pathname.replace(/\/([^/]+)$/, '/..%2f$1');
    });
  }
  for (const [name, value] of url.searchParams) {
    // The name of the SDK's call is the same for all addresses.
    if (name === 'x-id') continue;
    add(`without ${name}`, (copy) => copy.searchParams.delete(name));
    add(`with another ${name}`, (copy) => copy.searchParams.set(name, otherCharacter(value)));
  }
  for (const [what, address] of changed) {
    const { status } = await storage(method, address.href, body);
    check(status >= 400 && status < 500, `${method} with an address ${what} was answered ${status}`);
  }
  const folder = new URL(url.pathname.split('/').slice(0, 2).join('/'), url).href;
  const unsigned = isOfFolder(signed) ? [] : [folder, `${folder}?list-type=2`, url.origin + url.pathname];
  for (const address of unsigned) {
    const { status } = await storage('GET', address);
    check(status >= 400 && status < 500, `GET ${address} without a signature was answered ${status}`);
  }
}

/** Attacks by files, their addresses, previews and exports. */
export const FILE_REPLAYS: readonly Replay[] = [
  {
    name: 'a patter of exports that nobody reads',
    async run({ target, manager, borrower }) {
      const stop = new AbortController();
      const open = () =>
        fetch(new URL('/crud/assets', target.url), {
          headers: { accept: 'text/csv', authorization: `Bearer ${manager.accessToken}` },
          signal: stop.signal,
        }).catch(() => null);
      const unread = await Promise.all(Array.from({ length: 40 }, open));
      check(
        unread.every((answer) => answer === null || [200, 429].includes(answer.status)),
        'an export failed instead of being refused',
      );
      const whole = await borrower.call('GET', '/crud/assets', { headers: { accept: 'text/csv' } });
      stop.abort();
      check(whole.status === 200, `the export of somebody else was answered ${whole.status}`);
    },
  },
  {
    name: 'steps that lengthen a text a thousandfold each',
    async run(stage) {
      const { manager } = stage;
      const lengthen = { type: 'replaceStrings', value: ['0', '0'.repeat(1_000)] };
      const body = await previewBody(manager, [{ type: 'text' }, lengthen, lengthen, lengthen, lengthen]);
      const answer = await othersAreServed(stage, () => manager.json('POST', '/LTP/preview/ETL', body), 5_000);
      check(answer.status === 200, `answered ${answer.status}: ${answer.text.slice(0, 300)}`);
      check(answer.text.includes('32,767'), 'no cell was said to be too long');
    },
  },
  {
    name: 'more previews at once than anyone can look at',
    async run(stage) {
      const { manager, borrower } = stage;
      const body = JSON.stringify(await previewBody(manager, [{ type: 'text' }]));
      const answers = await othersAreServed(
        stage,
        () => Promise.all(Array.from({ length: 40 }, () => manager.json('POST', '/LTP/preview/ETL', body))),
        5_000,
      );
      for (const answer of answers) {
        standing(answer);
        check([200, 429].includes(answer.status), `a preview was answered ${answer.status}`);
      }
      check(
        answers.some(({ status }) => status === 200) && answers.some(({ status }) => status === 429),
        'nothing limits them',
      );
      standing(await borrower.call('GET', '/crud/loanTape'));
    },
  },
  {
    name: 'an upload address that is used again',
    async run({ manager }) {
      const bytes = 'Loan,Balance\nA-1,100\n';
      const { signedUrl } = await signedAddress(manager, 'upload', csvNamed('attack', bytes));
      const put = (body: string) => storage('PUT', signedUrl, body);
      check((await put(bytes.replace('100', '10'))).status >= 400, 'a file of another size was taken');
      check((await put(bytes)).status < 300, 'the file was not taken');
      // An S3 service lets it be replaced until a document refers to it. Then it is checked and kept elsewhere.
      if (isOfFolder(signedUrl)) check((await put(bytes.replace('100', '999'))).status >= 400, 'the file was replaced');
    },
  },
  {
    name: 'a signed address that is changed, sent otherwise, or used for another file',
    async run({ manager }) {
      const texts = ['Loan,Balance\nA-1,100\n', 'Loan,Balance\nB-1,200\n'];
      const uploads = await Promise.all(
        texts.map((text) => signedAddress(manager, 'upload', csvNamed('signed', text))),
      );
      for (const [index, { key, signedUrl }] of uploads.entries()) {
        const text = texts[index]!;
        const other = uploads[1 - index]!;
        await changedAddressesAreRefused(signedUrl, other.signedUrl, 'PUT', text);
        for (const method of ['GET', 'DELETE', 'POST']) {
          check((await storage(method, signedUrl)).status >= 400, `${method} works with an address to upload to`);
        }
        check((await storage('PUT', signedUrl, text)).status < 300, `the file ${key} was not taken`);
      }
      const tapes = await manager.list<Tape>('/crud/loanTape?limit=2');
      const [first, second] = await Promise.all(
        tapes.map(({ metadata }) => signedAddress(manager, 'download', { key: metadata.attachment.key })),
      );
      check(first !== undefined && second !== undefined, 'there are no two tapes to attack with');
      const before = await (await storage('GET', first.signedUrl)).text();
      await changedAddressesAreRefused(first.signedUrl, second.signedUrl, 'GET');
      for (const method of ['PUT', 'DELETE', 'POST']) {
        const { status } = await storage(method, first.signedUrl, method === 'DELETE' ? undefined : 'x');
        check(status >= 400, `${method} works with an address to download from`);
      }
      const read = await storage('GET', first.signedUrl);
      check(read.status === 200 && (await read.text()) === before, 'the file was changed or cannot be read');
    },
  },
];
