import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { parseQuoted, quoteLongNumbers } from '@tapeline/domain/wire/json.ts';
import type { QuotingAnswer, QuotingJob } from './json-thread.ts';

/**
 * Maximum count of numbers in a body whose digits are compared on this thread, at about 0.8 µs each. A body with more
 * is sent to the worker thread.
 */
export const MAX_COMPARED = 500;
/**
 * A body of more bytes is decoded and looked through by the thread first, and refused there if it is larger than any call
 * takes.
 */
export const MAX_BYTES_HERE = 64 * 1024;
/** How long the idle thread is kept after its last body. */
const IDLE_MS = 60_000;

/** Reads the JSON of request bodies without blocking other requests. */
export interface JsonReader {
  /**
   * Like `parseWire` of the domain.
   * @param body in UTF-8, or decoded; a long one in UTF-8 is given away
   * @throws SyntaxError, Refusal
   */
  parse(body: string | ArrayBuffer): Promise<unknown>;
  close(): Promise<void>;
}

/** The text of a body, and the same with its long numbers in quotes. */
interface Quoted {
  readonly text: string;
  readonly quoted: string;
}

interface Waiting {
  readonly body: string | ArrayBuffer;
  readonly resolve: (read: Quoted) => void;
  readonly reject: (error: Error) => void;
}

/** The thread starts with the first body that needs it. */
export function openJsonReader(): JsonReader {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(new URL('./json-thread.ts', import.meta.url));
    worker.on('message', (answer: QuotingAnswer) => {
      const job = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('refused' in answer) job?.reject(new Refusal('badRequest', answer.refused));
      else if (job) {
        const text = answer.text ?? String(job.body);
        job.resolve({ text, quoted: answer.quoted ?? text });
      }
      if (waiting.size === 0) rest(worker);
    });
    const fail = (error: Error): void => {
      if (thread === worker) thread = null;
      for (const job of waiting.values()) job.reject(error);
      waiting.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => thread === worker && fail(new Error('the thread that reads JSON ended')));
    return worker;
  }

  /** While idle, the thread does not keep the process alive, and it ends after a while. */
  function rest(worker: Worker): void {
    worker.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size > 0 || thread !== worker) return;
      thread = null;
      void worker.terminate();
    }, IDLE_MS).unref();
  }

  async function quoteOnThread(body: string | ArrayBuffer): Promise<Quoted> {
    thread ??= start();
    thread.ref();
    lastId += 1;
    const job: QuotingJob = { id: lastId, body };
    thread.postMessage(job, typeof body === 'string' ? [] : [body]);
    return new Promise((resolve, reject) => waiting.set(job.id, { body, resolve, reject }));
  }

  let turn: Promise<void> = Promise.resolve();
  /**
   * Long bodies take turns: each is parsed, and validated by whoever waits for it, before the next. Other requests are
   * answered between the two, and before the next.
   */
  async function inTurn<Result>(work: () => Result): Promise<Result> {
    const before = turn;
    let end = (): void => {};
    turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    try {
      const result = work();
      await setImmediate();
      return result;
    } finally {
      void setImmediate().then(end);
    }
  }

  return {
    async parse(body) {
      if ((typeof body === 'string' ? body.length : body.byteLength) > MAX_BYTES_HERE) {
        const { text, quoted } = await quoteOnThread(body);
        return inTurn(() => parseQuoted(text, quoted));
      }
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
      return parseQuoted(text, quoteLongNumbers(text, MAX_COMPARED) ?? (await quoteOnThread(text)).quoted);
    },
    async close() {
      clearTimeout(idle);
      const ending = thread;
      thread = null;
      for (const job of waiting.values()) job.reject(new Error('the web server is stopping'));
      waiting.clear();
      await ending?.terminate();
    },
  };
}
