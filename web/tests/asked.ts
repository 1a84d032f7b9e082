import { unzip } from '@tapeline/sheets/testing/plain-workbook.ts';
import { extractText } from 'unpdf';
import type { ScreenClient } from './screen-client.ts';

/** What somebody was shown. */
export interface Shown {
  readonly what: string;
  readonly status: number;
  /** Of a file, the text that is in it. */
  readonly text: string;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly bytes: Uint8Array;
}
/** One thing that a person can read or send. */
export interface Asked {
  readonly what: string;
  readonly ask: (client: ScreenClient) => Promise<Answered>;
}

/** As many as a person may have exports in progress. */
const AT_ONCE = 3;

export async function askAll(client: ScreenClient, asked: readonly Asked[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  const left = [...asked];
  const work = async () => {
    for (let one = left.shift(); one; one = left.shift()) {
      const { what } = one;
      const { status, text, bytes } = await answerTo(one, client);
      shown.push({ what, status, text: (await textInFile(bytes)) ?? text });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return shown;
}

/** The answer. Asked again if the product had just closed the connection, which it does to those that were idle. */
async function answerTo({ what, ask }: Asked, client: ScreenClient): Promise<Answered> {
  const isClosed = (error: unknown): boolean =>
    error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'UND_ERR_SOCKET';
  return ask(client)
    .catch((error: unknown) => {
      if (isClosed(error)) return ask(client);
      throw error;
    })
    .catch((error: unknown) => {
      throw new Error(`There is no answer to ${what}`, { cause: error });
    });
}

const startsWith = (bytes: Uint8Array, start: string): boolean =>
  Buffer.from(bytes.subarray(0, start.length)).toString('latin1') === start;

/** The text of a PDF, of the sheets of a workbook, and of the files in a zip, with their names; null for other bytes. */
export async function textInFile(bytes: Uint8Array): Promise<string | null> {
  if (startsWith(bytes, '%PDF-')) {
    // The bytes of what is no whole PDF, as the planted report, are searched themselves.
    const found = await extractText(new Uint8Array(bytes), { mergePages: true }).catch(() => null);
    return found?.text ?? null;
  }
  if (!startsWith(bytes, 'PK\x03\x04')) return null;
  const parts = [...unzip(Buffer.from(bytes))].map(async ([name, part]) => {
    return `${name} ${(await textInFile(part)) ?? part.toString('utf8')}`;
  });
  return (await Promise.all(parts)).join(' ');
}

/** Which of the marks are shown, and where. */
export const foundIn = (shown: readonly Shown[], marks: readonly string[]): string[] =>
  shown.flatMap(({ what, text }) =>
    marks
      .filter((mark) => text.includes(mark))
      .map(
        (mark) => `${mark} in ${what}: ${text.slice(Math.max(0, text.indexOf(mark) - 80), text.indexOf(mark) + 40)}`,
      ),
  );

/** Answers that a fault of the product, or too many requests, kept from being what they would be. */
export const failures = (shown: readonly Shown[]): string[] =>
  shown
    .filter(({ status }) => status >= 500 || status === 429)
    .map(({ what, status, text }) => `${what}: ${status} ${text}`);
