import { chain, isConnectionError } from './service-problems.ts';

/** An error with what the clients of services add to it. */
type ServiceError = Error & {
  readonly code?: string | number;
  readonly $metadata?: { readonly httpStatusCode?: number };
};

/** A kind of error after which the same work can succeed. */
interface Fault {
  readonly what: string;
  readonly is: (error: ServiceError) => boolean;
  /** How often such an error is met before it counts as one of the data; without it, until the caller gives up. */
  readonly maxAttempts?: number;
}

/** Attempts at work whose error may have been caused by another attempt. */
const FEW = 3;
/**
 * Attempts at reading a file that another step is still to write. That its worker died is noticed after 10 seconds without
 * a heartbeat; with their growing pauses, these attempts take 30.
 */
const UNTIL_REWRITTEN = 7;

const codeOf = ({ code }: ServiceError): string => String(code ?? '');

/**
 * SQLSTATE classes: connection, transaction rollback, insufficient resources, operator intervention, system error; and
 * single codes: no rights to connect, no such database (while it is restored), locks, a server that only reads.
 */
const POSTGRES = /^(08|40|53|57|58)[0-9A-Z]{3}$|^(28000|28P01|3D000|55P03|55006|25006|25P03)$/;
/** gRPC: deadline exceeded, resource exhausted, aborted, internal, unavailable. */
const GRPC = [4, 8, 10, 13, 14];
/** Codes of undici, and of a stream that was closed before its end. */
const CONNECTION = /^(UND_ERR_.*|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED)$/;
const STORAGE = ['SlowDown', 'RequestTimeout', 'RequestTimeTooSkewed', 'NetworkingError', 'InternalError'];

/**
 * The faults of services and of the machine. Work that fails with one of them is tried again; every other error comes from
 * the data or the program, would come again, and ends the work. A new kind of fault is added here and nowhere else.
 */
const FAULTS: readonly Fault[] = [
  { what: 'PostgreSQL', is: (error) => POSTGRES.test(codeOf(error)) },
  {
    what: 'a connection',
    is: (error) => isConnectionError(error) || CONNECTION.test(codeOf(error)),
  },
  {
    what: 'a connection that is closed',
    is: ({ message }) => /Connection terminated|not queryable|pool after calling end/.test(message),
  },
  {
    what: 'Temporal',
    is: ({ name, code }) => name === 'ServiceError' || (typeof code === 'number' && GRPC.includes(code)),
  },
  {
    what: 'the object storage',
    is: ({ name, $metadata }) =>
      STORAGE.includes(name) ||
      [408, 429].includes($metadata?.httpStatusCode ?? 0) ||
      ($metadata?.httpStatusCode ?? 0) >= 500,
  },
  { what: 'a service that is down', is: ({ name }) => name === 'ServiceUnavailable' || name === 'TimeoutError' },
  // A missing file is one that was evicted from the cache.
  { what: 'the operating system', is: (error) => /^E[A-Z0-9]+$/.test(codeOf(error)) },
  {
    what: 'the memory or disk of the machine',
    is: (error) =>
      codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ||
      /allocation failed|out of memory|could not allocate|No space left|Too many open files/i.test(error.message),
  },
  { what: 'DuckDB', is: ({ message }) => /^(IO|Out of Memory|Connection|HTTP|INTERRUPT|Fatal) Error/i.test(message) },
  // Another attempt of the same work may have stored its row in the meantime, which the next attempt sees.
  { what: 'a row that exists', is: (error) => codeOf(error) === '23505', maxAttempts: FEW },
  {
    what: 'a file that arrived in part',
    is: ({ name }) => name === 'IncompleteFile',
    maxAttempts: UNTIL_REWRITTEN,
  },
  { what: 'a thread that ended', is: ({ name }) => name === 'ThreadEnded', maxAttempts: FEW },
];

/**
 * Whether the error is a fault of a service or of the machine, so that the same work may succeed later.
 * @param attempt the attempt that failed, counted from 1; without it, the last one
 */
export function isServiceFault(error: unknown, attempt = Number.POSITIVE_INFINITY): boolean {
  return [...chain(error)].some((each) =>
    FAULTS.some(({ is, maxAttempts }) => is(each) && (maxAttempts === undefined || attempt < maxAttempts)),
  );
}

const MAX_CHARACTERS = 300;

/** What an error says, in one line: that of the service that reported it, without the statement that was sent. */
export function reasonOf(error: unknown): string {
  const [innermost = error] = [...chain(error)].reverse();
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  const [line = ''] = message.trim().split('\n');
  return line.slice(0, MAX_CHARACTERS) || 'no message';
}
